//! Connections: TLS around HTTP, requests read within limits, answers computed by a bounded number of threads.

use std::convert::Infallible;
use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use bunraku_pki::Certificate;
use flate2::Compression;
use flate2::write::GzEncoder;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
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
/// How long requests may still take when the server is to end.
const GRACE: Duration = Duration::from_secs(30);
/// Answers below this are not worth compressing.
const SMALLEST_COMPRESSED: usize = 1 << 10;

/// What all connections share.
struct Shared {
    server: Arc<Server>,
    tls: Tls,
    compilers: Semaphore,
    waiting: AtomicUsize,
}

/// Serves until the process is told to end. `ready` is called when clients can connect, with the address.
pub fn serve(server: Arc<Server>, ready: impl FnOnce(SocketAddr)) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| format!("no threads: {error}"))?;
    runtime.block_on(async move {
        let address = server.configuration.address.clone();
        let listener = TcpListener::bind(&address).await.map_err(|error| format!("{address}: {error}"))?;
        let shared = Arc::new(Shared {
            tls: Tls::of(&server)?,
            compilers: Semaphore::new(server.configuration.compilers.max(1)),
            waiting: AtomicUsize::new(0),
            server,
        });
        ready(listener.local_addr().map_err(|error| error.to_string())?);
        accept(shared, listener).await
    })
}

async fn accept(shared: Arc<Shared>, listener: TcpListener) -> Result<(), String> {
    use tokio::signal::unix::{SignalKind, signal};
    let connections = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let (ending, is_ending) = watch::channel(false);
    let failed = |error: std::io::Error| error.to_string();
    let mut terminated = signal(SignalKind::terminate()).map_err(failed)?;
    let mut interrupted = signal(SignalKind::interrupt()).map_err(failed)?;
    let mut hung_up = signal(SignalKind::hangup()).map_err(failed)?;
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = terminated.recv() => break,
            _ = interrupted.recv() => break,
            // Files are looked at when they are needed, so there is nothing to be read again.
            _ = hung_up.recv() => continue,
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
                shared.server.journal.debug(&format!("{address}: {error}"));
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

async fn connect(
    shared: &Arc<Shared>,
    stream: TcpStream,
    address: SocketAddr,
    mut is_ending: watch::Receiver<bool>,
) -> Result<(), String> {
    let _ = stream.set_nodelay(true);
    let acceptor = TlsAcceptor::from(shared.tls.configuration()?);
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
    let (head, body) = request.into_parts();
    let body = tokio::time::timeout(BODY_TIME, Limited::new(body, LARGEST_BODY).collect()).await;
    let Ok(Ok(body)) = body else {
        return written(Response::text(413, "the request is too large, or takes too long"), false);
    };
    let target = head.uri.path_and_query().map_or("/", |target| target.as_str());
    let mut request = Request::new(head.method.as_str(), target);
    request.headers = head
        .headers
        .iter()
        .filter_map(|(name, value)| Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned())))
        .collect();
    request.body = body.to_bytes().to_vec();
    request.client = client;
    request.address = Some(address.ip());
    shared.server.identify(&mut request);
    let cancel = Cancel(Arc::clone(&request.cancelled));
    let is_compilation = request.path.starts_with("/puppet/v3/catalog/") || request.path == "/puppet/v4/catalog";
    let takes_gzip = request.header("accept-encoding").is_some_and(|accepted| accepted.contains("gzip"));
    let permit = match is_compilation {
        false => None,
        true => {
            let waiting = shared.waiting.fetch_add(1, Ordering::Relaxed);
            let _waiting = Waiting(&shared.waiting);
            if waiting >= shared.server.configuration.most_queued {
                let refusal = Response::text(503, "The maximum number of queued requests is reached");
                return written(refusal.with_header("Retry-After", "30").with_header("Connection", "close"), false);
            }
            // Nobody closes the semaphore.
            shared.compilers.acquire().await.ok()
        }
    };
    let server = Arc::clone(&shared.server);
    let answered = tokio::task::spawn_blocking(move || {
        let response = server.answer(&request);
        compressed(response, takes_gzip)
    });
    let (response, is_compressed) = match answered.await {
        Ok(answered) => answered,
        // One request that fails by a mistake of the program is one failure.
        Err(_) => (Response::text(500, "Internal Server Error"), false),
    };
    drop(permit);
    drop(cancel);
    written(response, is_compressed)
}

/// The answer, smaller if that is worth it and the client takes it.
fn compressed(mut response: Response, takes_gzip: bool) -> (Response, bool) {
    if !takes_gzip || response.body.len() < SMALLEST_COMPRESSED {
        return (response, false);
    }
    let mut encoder = GzEncoder::new(Vec::with_capacity(response.body.len() / 4), Compression::fast());
    match encoder.write_all(&response.body).and_then(|()| encoder.finish()) {
        Ok(body) => {
            response.body = body;
            (response, true)
        }
        Err(_) => (response, false),
    }
}

fn written(response: Response, is_compressed: bool) -> hyper::Response<Full<Bytes>> {
    let mut builder = hyper::Response::builder().status(response.status);
    if let Some(content_type) = &response.content_type {
        builder = builder.header("Content-Type", content_type);
    }
    if is_compressed {
        builder = builder.header("Content-Encoding", "gzip").header("Vary", "Accept-Encoding, User-Agent");
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
