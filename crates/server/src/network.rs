//! Connections: TLS around HTTP, requests read within limits, answers computed by a bounded number of threads.
//!
//! A client can hold little: a connection for as long as a limit says, a body that counts against what all bodies may take
//! together, and until it has shown a certificate a small one.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io::Write;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};
use std::time::{Duration, Instant};

use bunraku_pki::Certificate;
use flate2::Compression;
use flate2::write::GzEncoder;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio_rustls::TlsAcceptor;

use crate::tls::Tls;
use crate::{Client, Request, Response, Server};

/// How many connections there may be.
const MOST_CONNECTIONS: usize = 20_000;
/// How long a handshake may take, and the head of a request.
const HANDSHAKE_TIME: Duration = Duration::from_secs(20);
const HEAD_TIME: Duration = Duration::from_secs(60);
/// How long a body may take, and how large it may be.
const BODY_TIME: Duration = Duration::from_secs(120);
const LARGEST_BODY: usize = 64 << 20;
/// The same for those who have shown no certificate: they ask for one, and send nothing else.
const LARGEST_OF_STRANGERS: usize = 256 << 10;
/// How much all bodies that are being read may take together, in KiB.
const ALL_BODIES: usize = 1 << 20;
/// How long a client may leave what it is sent unread.
const UNREAD_TIME: u32 = 120_000;
/// How many nodes are remembered as compiling before those that are not are forgotten.
const MOST_TURNS: usize = 1_024;
const DAY: Duration = Duration::from_secs(86_400);
/// How many clients may wait to be accepted.
const BACKLOG: i32 = 4_096;
/// How long requests may still take when the server is to end.
const GRACE: Duration = Duration::from_secs(30);
/// Files below this are not worth compressing.
const SMALLEST_FILE: usize = 32;

/// What all connections share.
struct Shared {
    /// The server with its certificates; another one takes its place when the configuration is read again.
    current: RwLock<(Arc<Server>, Arc<Tls>)>,
    compilers: Semaphore,
    /// Whose catalog is being compiled, or waits.
    turns: Mutex<HashMap<String, Weak<Semaphore>>>,
    waiting: AtomicUsize,
    bodies: Arc<Semaphore>,
    requests: AtomicU64,
}

impl Shared {
    /// The turns of a node, of which there are fewer than compilers. Services ask on behalf of nodes, under another name.
    fn turn(&self, node: &str, compilers: usize) -> Arc<Semaphore> {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turn) = turns.get(node).and_then(Weak::upgrade) {
            return turn;
        }
        if turns.len() >= MOST_TURNS {
            turns.retain(|_, turn| turn.strong_count() > 0);
        }
        let turn = Arc::new(Semaphore::new(compilers.saturating_sub(1).max(1)));
        turns.insert(node.to_owned(), Arc::downgrade(&turn));
        turn
    }

    fn current(&self) -> (Arc<Server>, Arc<Tls>) {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// What a server is told to do by the process around it.
pub struct Service<'s> {
    /// A socket that somebody else listens on already, such as a service manager that keeps it while servers come and go.
    pub socket: Option<std::net::TcpListener>,
    /// Called when clients can connect, with the address.
    pub ready: &'s dyn Fn(SocketAddr),
    /// The server as its configuration is now. If it has become wrong, the present server goes on.
    pub reload: &'s dyn Fn(&Server) -> Result<Server, String>,
}

/// Serves until the process is told to end.
pub fn serve(server: Arc<Server>, service: Service<'_>) -> Result<(), String> {
    let address = server.configuration.address.clone();
    let listener = match service.socket {
        Some(listener) => listener,
        None => {
            std::net::TcpListener::bind(&address).map_err(|error| format!("{address}: {}", bunraku::reason(&error)))?
        }
    };
    // The standard library has a short queue.
    rustix::net::listen(&listener, BACKLOG).map_err(|error| format!("{address}: {error}"))?;
    listener.set_nonblocking(true).map_err(|error| format!("{address}: {error}"))?;
    limit_privileges(&server);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| format!("no threads: {error}"))?;
    runtime.block_on(async {
        let listener = TcpListener::from_std(listener).map_err(|error| format!("{address}: {error}"))?;
        let shared = Arc::new(Shared {
            compilers: Semaphore::new(server.configuration.compilers),
            turns: Mutex::default(),
            waiting: AtomicUsize::new(0),
            bodies: Arc::new(Semaphore::new(ALL_BODIES)),
            requests: AtomicU64::new(0),
            current: RwLock::new((Arc::clone(&server), Arc::new(Tls::of(&server)?))),
        });
        (service.ready)(listener.local_addr().map_err(|error| error.to_string())?);
        accept(shared, listener, service.reload).await
    })
}

/// As many files as the system allows, for each connection is one; and no rights beyond those of the user: what needed
/// them, such as a low port, is done. The administrator keeps theirs, whose files belong to others.
fn limit_privileges(server: &Server) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let files = getrlimit(Resource::Nofile);
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: files.maximum, ..files }) {
        server.journal.warning(&format!("the number of open files stays at {:?}: {error}", files.current));
    }
    if rustix::process::geteuid().is_root() {
        server.journal.warning("the server runs as the administrator; an ordinary user is enough");
    } else {
        #[cfg(target_os = "linux")]
        if let Err(error) = rustix::thread::set_capabilities(None, NO_CAPABILITIES) {
            server.journal.warning(&format!("capabilities cannot be dropped: {error}"));
        }
    }
}

#[cfg(target_os = "linux")]
const NO_CAPABILITIES: rustix::thread::CapabilitySets = rustix::thread::CapabilitySets {
    effective: rustix::thread::CapabilitySet::empty(),
    permitted: rustix::thread::CapabilitySet::empty(),
    inheritable: rustix::thread::CapabilitySet::empty(),
};

async fn accept(
    shared: Arc<Shared>,
    listener: TcpListener,
    reload: &dyn Fn(&Server) -> Result<Server, String>,
) -> Result<(), String> {
    use tokio::signal::unix::{SignalKind, signal};
    let connections = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let (ending, is_ending) = watch::channel(false);
    let failed = |error: std::io::Error| error.to_string();
    let mut terminated = signal(SignalKind::terminate()).map_err(failed)?;
    let mut interrupted = signal(SignalKind::interrupt()).map_err(failed)?;
    let mut days = tokio::time::interval(DAY);
    let mut hung_up = signal(SignalKind::hangup()).map_err(failed)?;
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = terminated.recv() => break,
            _ = interrupted.recv() => break,
            _ = days.tick() => {
                let server = shared.current().0;
                tokio::task::spawn_blocking(move || server.daily());
                continue;
            }
            _ = hung_up.recv() => {
                tokio::task::block_in_place(|| renew(&shared, reload));
                continue;
            }
        };
        let Ok((stream, address)) = accepted else {
            // Too many open files, for instance: there may be fewer in a moment.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let Ok(permit) = Arc::clone(&connections).try_acquire_owned() else { continue };
        let (shared, is_ending) = (Arc::clone(&shared), is_ending.clone());
        tokio::spawn(async move {
            if let Err(error) = connect(&shared, stream, address, is_ending).await {
                shared.current().0.journal.debug(&format!("{address}: {error}"));
            }
            drop(permit);
        });
    }
    drop(listener);
    // Whoever has the other ends of this channel finishes what it is at.
    let _ = ending.send(true);
    drop(is_ending);
    let _ = tokio::time::timeout(GRACE, ending.closed()).await;
    Ok(())
}

/// Reads the configuration again. Requests that are being answered end as they began; connections stay.
fn renew(shared: &Shared, reload: &dyn Fn(&Server) -> Result<Server, String>) {
    let (present, _) = shared.current();
    let renewed = reload(&present).and_then(|server| {
        let server = Arc::new(server);
        let tls = Tls::of(&server)?;
        Ok((server, Arc::new(tls)))
    });
    match renewed {
        Ok(renewed) => {
            *shared.current.write().unwrap_or_else(PoisonError::into_inner) = renewed;
            present.journal.info("the configuration was read again");
        }
        Err(error) => present.journal.error(&format!("the configuration stays as it was: {error}")),
    }
}

async fn connect(
    shared: &Arc<Shared>,
    stream: TcpStream,
    address: SocketAddr,
    mut is_ending: watch::Receiver<bool>,
) -> Result<(), String> {
    let _ = stream.set_nodelay(true);
    #[cfg(target_os = "linux")]
    let _ = rustix::net::sockopt::set_tcp_user_timeout(&stream, UNREAD_TIME);
    let acceptor = TlsAcceptor::from(shared.current().1.configuration()?);
    let stream = tokio::time::timeout(HANDSHAKE_TIME, acceptor.accept(stream)).await;
    let stream = stream.map_err(|_| "the handshake takes too long")?.map_err(|error| error.to_string())?;
    let shown = stream.get_ref().1.peer_certificates().and_then(<[_]>::first);
    let certificate = shown.and_then(|shown| Certificate::from_der(shown.as_ref().to_vec()));
    let client = certificate.and_then(Client::new).map(Arc::new);
    let service = hyper::service::service_fn(move |request| {
        let (shared, client) = (Arc::clone(shared), client.clone());
        async move { Ok::<_, Infallible>(respond(shared, request, client, address).await) }
    });
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).max_buf_size(64 << 10);
    let connection = builder.serve_connection(TokioIo::new(stream), service);
    let mut connection = std::pin::pin!(connection);
    loop {
        tokio::select! {
            done = connection.as_mut() => return done.map_err(|error| error.to_string()),
            _ = is_ending.changed() => connection.as_mut().graceful_shutdown(),
        }
    }
}

/// Whoever drops it wants no answer any more.
struct Cancel(Arc<AtomicBool>);

impl Drop for Cancel {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Counts those who wait.
struct Waiting<'w>(&'w AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

async fn respond(
    shared: Arc<Shared>,
    request: hyper::Request<Incoming>,
    client: Option<Arc<Client>>,
    address: SocketAddr,
) -> hyper::Response<Full<Bytes>> {
    let begun = Instant::now();
    let (server, _) = shared.current();
    let (head, body) = request.into_parts();
    let target = head.uri.path_and_query().map_or("/", |target| target.as_str());
    let mut request = Request::new(head.method.as_str(), target);
    request.headers = head
        .headers
        .iter()
        .filter_map(|(name, value)| Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned())))
        .collect();
    request.client = client;
    request.address = Some(address.ip());
    request.id = shared.requests.fetch_add(1, Ordering::Relaxed);
    server.identify(&mut request);
    let largest = if request.client.is_some() { LARGEST_BODY } else { LARGEST_OF_STRANGERS };
    let body = tokio::time::timeout(BODY_TIME, received(&shared, body, largest)).await;
    let (body, _space) = match body {
        Ok(Ok(body)) => body,
        Ok(Err(refusal)) => return written(refusal),
        Err(_) => return written(closing(408, "the request takes too long")),
    };
    request.body = body;
    let cancel = Cancel(Arc::clone(&request.cancelled));
    let coding = Coding::of(&request);
    let permit = match node_of_compilation(&request) {
        None => None,
        Some(node) => {
            let waiting = shared.waiting.fetch_add(1, Ordering::Relaxed);
            let _waiting = Waiting(&shared.waiting);
            if waiting >= server.configuration.most_queued {
                let refusal = closing(503, "The maximum number of queued requests is reached");
                server.journal.request(&request, &refusal, begun.elapsed());
                return written(refusal.with_header("Retry-After", "30"));
            }
            // A node whose catalogs take long waits for itself, not others for it. Nobody closes the semaphores.
            let turn = shared.turn(node, server.configuration.compilers).acquire_owned().await.ok();
            Some((turn, shared.compilers.acquire().await.ok()))
        }
    };
    let answered = tokio::task::spawn_blocking(move || {
        let response = server.answer(&request);
        server.journal.request(&request, &response, begun.elapsed());
        coding.applied(response)
    });
    // One request that fails by a mistake of the program is one failure.
    let response = answered.await.unwrap_or_else(|_| Response::text(500, "Internal Server Error"));
    drop(permit);
    drop(cancel);
    written(response)
}

/// Who asks for a catalog, if it is one that is asked for: the node of the path, or a service that asks on behalf of nodes.
fn node_of_compilation(request: &Request) -> Option<&str> {
    let is_service = request.path == "/puppet/v4/catalog";
    is_service.then_some("").or_else(|| request.path.strip_prefix("/puppet/v3/catalog/"))
}

/// Reads a body; whoever has it gives back the space that it takes.
async fn received(
    shared: &Shared,
    mut body: Incoming,
    largest: usize,
) -> Result<(Vec<u8>, Option<OwnedSemaphorePermit>), Response> {
    let (mut read, mut space): (Vec<u8>, Option<OwnedSemaphorePermit>) = (Vec::new(), None);
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else { return Err(closing(400, "the request ends early")) };
        let Ok(data) = frame.into_data() else { continue };
        if read.len().saturating_add(data.len()) > largest {
            return Err(closing(413, "the request is too large"));
        }
        let kilobytes = u32::try_from(data.len().div_ceil(1 << 10)).unwrap_or(u32::MAX);
        let Ok(more) = Arc::clone(&shared.bodies).try_acquire_many_owned(kilobytes) else {
            return Err(closing(503, "there are too many requests").with_header("Retry-After", "30"));
        };
        match &mut space {
            Some(space) => space.merge(more),
            None => space = Some(more),
        }
        read.extend_from_slice(&data);
    }
    Ok((read, space))
}

/// An answer after which nothing more is read.
fn closing(status: u16, text: &str) -> Response {
    Response::text(status, text).with_header("Connection", "close")
}

/// Whether an answer may be compressed, as the client and the method of its request say.
#[derive(Clone, Copy)]
struct Coding {
    /// Caches are told that the answer depends on what the client takes.
    varies: bool,
    takes_gzip: bool,
}

impl Coding {
    fn of(request: &Request) -> Coding {
        let takes_gzip = request.header("accept-encoding").is_some_and(|accepted| accepted.contains("gzip"));
        Coding { varies: matches!(request.method.as_str(), "GET" | "POST"), takes_gzip }
    }

    /// The answer, smaller if the client takes it so.
    fn applied(self, mut response: Response) -> Response {
        if !self.varies || response.status != 200 {
            return response;
        }
        let is_file = response.content_type.as_deref() == Some("application/octet-stream");
        if self.takes_gzip && !(is_file && response.body.len() < SMALLEST_FILE) {
            let mut encoder = GzEncoder::new(Vec::with_capacity(response.body.len() / 4), Compression::fast());
            if let Ok(body) = encoder.write_all(&response.body).and_then(|()| encoder.finish()) {
                response.body = body;
                response = response.with_header("Content-Encoding", "gzip");
            }
        }
        response.with_header("Vary", "Accept-Encoding, User-Agent")
    }
}

fn written(response: Response) -> hyper::Response<Full<Bytes>> {
    let mut builder = hyper::Response::builder().status(response.status);
    if let Some(content_type) = &response.content_type {
        builder = builder.header("Content-Type", content_type);
    }
    for (name, value) in &response.headers {
        builder = builder.header(*name, value);
    }
    let body = Full::new(Bytes::from(response.body));
    // A header that cannot be written, as by a name with a line break in it, is a mistake of the server.
    builder.body(body).unwrap_or_else(|_| {
        let mut failed = hyper::Response::new(Full::default());
        *failed.status_mut() = hyper::StatusCode::INTERNAL_SERVER_ERROR;
        failed
    })
}
