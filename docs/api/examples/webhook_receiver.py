"""Receives webhooks and prints each piece of news once. Python 3.9 or newer, nothing to install.

PARTNER_API_KEY=… PARTNER_SECRET=… PORT=8080 python3 webhook_receiver.py

A key and its secret are one pair. While you change over to another key, give both pairs: the
second in PARTNER_NEXT_API_KEY and PARTNER_NEXT_SECRET. TLS ends at the proxy in front of this
program, which must pass path and query on as they came.
"""

import hashlib
import hmac
import json
import os
import queue
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

WINDOW_SECONDS = 300
MAX_BODY_BYTES = 64 * 1024

# The field that identifies each webhook; more fields and webhooks may come.
TOLD_BY = {
    "expired_at": "booking_expired",
    "change_type": "event_updated",
    "cancelled_at": "event_cancelled",
}


def load_secrets() -> dict:
    try:
        secrets = {os.environ["PARTNER_API_KEY"]: os.environ["PARTNER_SECRET"]}
        if os.environ.get("PARTNER_NEXT_API_KEY"):
            secrets[os.environ["PARTNER_NEXT_API_KEY"]] = os.environ["PARTNER_NEXT_SECRET"]
        return secrets
    except KeyError as missing:
        print(f"FAILED: set {missing.args[0]}", file=sys.stderr)
        sys.exit(2)


SECRETS = load_secrets()


def fault_of(method: str, uri: str, headers, body: bytes):
    """Why the request is not the platform's; None when it is."""
    secret = SECRETS.get(headers.get("X-Api-Key"))
    timestamp = headers.get("X-Timestamp", "")
    signature = headers.get("X-Signature", "")
    if not secret:
        return "unknown key"
    if not re.fullmatch("[0-9]{10}", timestamp):
        return "the timestamp is not ten digits"
    age = int(time.time()) - int(timestamp)
    if abs(age) > WINDOW_SECONDS:
        return f"the timestamp is {age} s old"

    # The path as it was called, with its query, and the bytes as they came.
    message = f"{timestamp}\n{method}\n{uri}\n".encode("latin-1") + body
    expected = hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()
    # In constant time; over bytes, because of text it takes ASCII only.
    genuine = hmac.compare_digest(expected.encode(), signature.encode("latin-1", "replace"))
    return None if genuine else "the signature is wrong"


seen = set()
seen_lock = threading.Lock()


def store(news: dict) -> bool:
    """True when the news came for the first time.

    In a real program this is an insert into a table with a unique key, committed before the
    answer: after a 2xx nobody sends it to you again.
    """
    with seen_lock:
        # The same as X-Webhook-Id, but this one is signed.
        if news["delivery_id"] in seen:
            return False
        seen.add(news["delivery_id"])
        return True


def handle(news: dict) -> None:
    """Your work goes here. News is a reason to look: read the event before you act."""
    name = next((TOLD_BY[field] for field in TOLD_BY if field in news), "other")
    print(name, json.dumps(news, ensure_ascii=False), flush=True)


to_do = queue.Queue()


def work() -> None:
    while True:
        handle(to_do.get())


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 10

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        if not 0 <= length <= MAX_BODY_BYTES:
            self.close_connection = True
            return self.answer(413)
        body = self.rfile.read(length)
        fault = fault_of(self.command, self.path, self.headers, body)
        if fault:
            print(f"refused {self.command} {self.path}: {fault}", file=sys.stderr)
            return self.answer(401)

        news = json.loads(body)
        if store(news):
            to_do.put(news)  # first the answer, then the work
        self.answer(204)

    def answer(self, status: int) -> None:
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_) -> None:
        pass


if __name__ == "__main__":
    threading.Thread(target=work, daemon=True).start()
    server = ThreadingHTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver)
    print(f"Listening on port {server.server_port}", flush=True)
    server.serve_forever()
