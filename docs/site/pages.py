"""The Markdown that the documents are written in, as HTML."""

import html
import re


def anchor(title):
    words = re.sub(r"[`*]", "", title).strip().lower()
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", words))


class Anchors:
    """The names of the places of one page, each once."""

    def __init__(self):
        self.used = set()

    def add(self, title):
        name = first = anchor(title)
        count = 0
        while name in self.used:
            count += 1
            name = f"{first}-{count}"
        self.used.add(name)
        return name


class Page:
    """A document; `link` says where a link leads, or nothing."""

    def __init__(self, text, link):
        self.lines = text.split("\n")
        self.link = link
        self.titles = []
        self.anchors = Anchors()
        self.text = text

    def html(self):
        self.at, out = 0, []
        while self.at < len(self.lines):
            out.append(self.block())
        return "\n".join(part for part in out if part)

    def peek(self):
        return self.lines[self.at] if self.at < len(self.lines) else None

    def take(self, while_):
        taken = []
        while self.peek() is not None and while_(self.peek()):
            taken.append(self.peek())
            self.at += 1
        return taken

    def block(self):
        line = self.peek()
        if not line.strip() or line.startswith("<!--"):
            self.at += 1
            return ""
        title = re.match(r"(#{1,6}) (.*)", line)
        if title:
            self.at += 1
            return self.title(len(title[1]), title[2])
        fence = re.match(r"\s*(`{3,})", line)
        if fence:
            self.at += 1
            code = self.take(lambda it: not it.strip().startswith(fence[1]))
            self.at += 1
            return self.code(code)
        if line.startswith("    "):
            code = self.take(lambda it: it.startswith("    ") or not it.strip())
            return self.code([it[4:] for it in code])
        if line.startswith("|"):
            return self.table(self.take(lambda it: it.startswith("|")))
        if re.match(r"([-*]|\d+\.) ", line):
            return self.list()
        starts = re.compile(r"#{1,6} |```|\||([-*]|\d+\.) ")
        words = self.take(lambda it: it.strip() and not starts.match(it)) or self.take(lambda it: bool(it.strip()))
        return f"<p>{self.inline(' '.join(words))}</p>"

    def title(self, level, text):
        name = self.anchors.add(text)
        self.titles.append((level, name, self.inline(text)))
        return f'<h{level} id="{name}">{self.inline(text)}</h{level}>'

    def code(self, lines):
        text = "\n".join(lines).rstrip()
        return f'<pre tabindex="0"><code>{html.escape(text)}</code></pre>'

    def table(self, rows):
        def cells(row):
            return [it.replace("\\|", "|").strip() for it in re.split(r"(?<!\\)\|", row.strip().strip("|"))]

        def row(kind, values):
            return "<tr>" + "".join(f"<{kind}>{self.inline(value)}</{kind}>" for value in values) + "</tr>"

        body = "".join(row("td", cells(it)) for it in rows[2:])
        return (f'<div class="wide" tabindex="0"><table><thead>{row("th", cells(rows[0]))}</thead>'
                f"<tbody>{body}</tbody></table></div>")

    def list(self):
        ordered = self.peek()[0].isdigit()
        items = []
        while self.peek() is not None:
            first = re.match(r"([-*]|\d+\.) (.*)", self.peek())
            if not first or first[1][0].isdigit() != ordered:
                break
            self.at += 1
            rest = self.take(lambda it: it.startswith("  ") or it.strip() and not re.match(r"([-*]|\d+\.) |#|\||```", it))
            inner = [it[2:] if it.startswith("  ") else it for it in rest]
            plain = [it for it in inner if not re.match(r"\s*([-*]|\d+\.) ", it)]
            nested = inner[next((at for at, it in enumerate(inner) if re.match(r"([-*]|\d+\.) ", it)), len(inner)):]
            text = " ".join([first[2], *plain[: len(inner) - len(nested)]])
            sub = Page("\n".join(nested), self.link).html() if nested else ""
            items.append(f"<li>{self.inline(text)}{sub}</li>")
            if self.peek() == "" and self.at + 1 < len(self.lines) and re.match(r"([-*]|\d+\.) ", self.lines[self.at + 1]):
                self.at += 1
        kind = "ol" if ordered else "ul"
        return f"<{kind}>{''.join(items)}</{kind}>"

    def inline(self, text):
        codes = []

        def keep(match):
            codes.append(f"<code>{html.escape(match[2].strip())}</code>")
            return f"\0{len(codes) - 1}\0"

        text = re.sub(r"(`+)(.+?)\1(?!`)", keep, text)
        text = html.escape(text, quote=False)

        def anchor_of(match):
            target = self.link(html.unescape(match[2]))
            return f'<a href="{html.escape(target)}">{match[1]}</a>' if target else match[1]

        text = re.sub(r"\[([^\]]+)\]\(([^)\s]+)\)", anchor_of, text)
        text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
        text = re.sub(r"(?<![\w*])\*(?!\s)([^*]+?)(?<!\s)\*(?!\w)", r"<em>\1</em>", text)
        return re.sub(r"\0(\d+)\0", lambda it: codes[int(it[1])], text)

    def sections(self):
        """The words of every section, for the search."""
        name, title, words, anchors = "", "", [], Anchors()
        fenced = False
        for line in self.lines:
            if line.strip().startswith("```"):
                fenced = not fenced
                continue
            found = None if fenced else re.match(r"#{1,6} (.*)", line)
            if found:
                if title or words:
                    yield name, title, " ".join(words)
                title, words = re.sub(r"[`*]", "", found[1]), []
                name = anchors.add(found[1])
            elif line.strip():
                words.append(re.sub(r"\]\([^)]*\)|[`*|\[\]]", " ", line).strip())
        yield name, title, " ".join(words)
