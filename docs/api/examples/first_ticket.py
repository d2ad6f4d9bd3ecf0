"""Sells two tickets of one event. Python 3.9 or newer, nothing to install.

PARTNER_BASE_URL=… PARTNER_API_KEY=… PARTNER_SECRET=… python3 first_ticket.py
python3 first_ticket.py --check-vector
"""

import hashlib
import hmac
import http.client
import json
import os
import sys
import time
import uuid
from datetime import datetime, timezone
from urllib.parse import quote, urlsplit


def sign(secret: str, timestamp: str, method: str, uri: str, body: bytes) -> str:
    """The lower-case hex HMAC-SHA256 of timestamp, method, uri and body joined by line feeds."""
    canonical = f"{timestamp}\n{method}\n{uri}\n".encode() + body
    return hmac.new(secret.encode(), canonical, hashlib.sha256).hexdigest()


def check_vector() -> None:
    secret = "sk_sandbox_check_vector_0123456789abcdef"
    body = '{"event_id":"evt_check_vector","partner_booking_id":"check/2026/0001","seats":["seat-a-1","seat-a-2"],"customer":{"name":"Айгүл Нұрланқызы","email":"aigul+tickets@example.com","phone":"+77010000001"}}'
    booking = sign(secret, "1789000000", "POST", "/api/v1/partners/bookings", body.encode())
    events = sign(secret, "1789000060", "GET", "/api/v1/partners/events?offset=0&limit=10", b"")
    print(f"create_booking {booking}")
    print(f"list_events {events}")


class Failure(Exception):
    """Something that ends the program."""


class ApiError(Failure):
    def __init__(self, call: str, status: int, request_id: str, error):
        error = error if isinstance(error, dict) else {}
        self.code = error.get("code", "without a code")
        self.details = error.get("details") or {}
        super().__init__(
            f"{call}: HTTP {status} {self.code} (X-Request-Id {request_id}) "
            f"{error.get('message', '')} {json.dumps(self.details, ensure_ascii=False)}"
        )


class PartnerApi:
    def __init__(self, base_url: str, api_key: str, secret: str):
        self.base = urlsplit(base_url.rstrip("/"))
        self.api_key = api_key
        self.secret = secret

    def call(self, method: str, path: str, payload=None) -> dict:
        """Signs and sends one call and returns the parsed answer.

        Repeats it, signed afresh, when the answer is lost, 408, 429 or 5xx: every call is idempotent.
        """
        uri = self.base.path + path
        # Serialised once: these very bytes are signed and sent.
        body = b"" if payload is None else json.dumps(payload, ensure_ascii=False).encode()

        for attempt in range(1, 5):
            request_id = str(uuid.uuid4())
            pause = 2 ** (attempt - 1)
            try:
                status, headers, text = self.send(method, uri, body, request_id)
            except (OSError, http.client.HTTPException) as error:
                failure = Failure(f"{method} {uri}: no answer (X-Request-Id {request_id}): {error!r}")
            else:
                answer = parse_json(text)
                if 200 <= status < 300 and answer:
                    return answer
                request_id = headers.get("X-Request-Id", request_id)
                retry_after = headers.get("Retry-After", "")
                pause = int(retry_after) if retry_after.isdigit() else pause
                failure = ApiError(f"{method} {uri}", status, request_id, answer.get("error"))
                if 300 <= status < 500 and status not in (408, 429):
                    raise failure
            if attempt == 4:
                raise failure
            print(f"   {failure}; again in {pause} s", file=sys.stderr)
            time.sleep(pause)

    def send(self, method: str, uri: str, body: bytes, request_id: str):
        timestamp = str(int(time.time()))
        headers = {
            "X-Api-Key": self.api_key,
            "X-Timestamp": timestamp,
            "X-Signature": sign(self.secret, timestamp, method, uri, body),
            "X-Request-Id": request_id,
        }
        if method == "POST":
            headers["Content-Type"] = "application/json"
        secure = self.base.scheme == "https"
        connect = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        connection = connect(self.base.netloc, timeout=10)
        try:
            connection.request(method, uri, body if method == "POST" else None, headers)
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()


def parse_json(text: bytes) -> dict:
    """A proxy in front of the service may answer without JSON: then only the HTTP status counts."""
    try:
        answer = json.loads(text)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}


def charge(total_tenge: int):
    """Your acquirer goes here. CHARGE=decline plays a refused card."""
    if os.environ.get("CHARGE") == "decline":
        return None
    paid_at = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
    return {"external_payment_id": str(uuid.uuid4()), "paid_at": paid_at}


def book_two_seats(api: PartnerApi, event_id: str) -> dict:
    """Holds two seats.

    Reads are advice; only a booking guarantees, so a lost race is no error: take other seats
    under a new partner_booking_id.
    """
    sectors = api.call("GET", f"/events/{event_id}/seats")["data"]
    print(f"2. Sectors: {len(sectors)}")

    for sector in sectors:
        if sector["free_seats"] < 2:
            continue
        query = "sector=" + quote(sector["sector_id"], safe="")
        seats = api.call("GET", f"/events/{event_id}/seats?{query}")["data"]
        candidates = [seat["space_id"] for seat in seats if seat["is_sellable"]]
        print(f"   Sector {sector['sector_id']}: {len(candidates)} seats to sell")

        for _ in range(5):
            if len(candidates) < 2:
                break
            partner_booking_id = str(uuid.uuid4())  # store it before the call
            try:
                booking = {
                    "event_id": event_id,
                    "partner_booking_id": partner_booking_id,
                    "seats": candidates[:2],
                }
                return api.call("POST", "/bookings", booking)["data"]
            except ApiError as error:
                if error.code != "SEATS_NOT_AVAILABLE":
                    raise
                taken = error.details["seats"]
                print(f"   Taken meanwhile: {', '.join(taken)}; trying others")
                candidates = [seat for seat in candidates if seat not in taken]
    raise Failure("no two seats are left")


def confirm(api: PartnerApi, order: dict, partner_order_id: str, payment: dict) -> dict:
    payment_info = {
        "amount_tenge": order["total_tenge"],
        "paid_at": payment["paid_at"],
        "external_payment_id": payment["external_payment_id"],
        "currency": "KZT",
        "method": "card",
    }
    try:
        path = f"/orders/{order['order_id']}/confirm"
        return api.call("POST", path, {"payment_info": payment_info})["data"]
    except Failure as failure:
        code = getattr(failure, "code", "")
        if code in ("ORDER_EXPIRED", "ORDER_CANCELLED", "EVENT_CANCELLED"):
            print("RETURN THE MONEY: there will be no tickets", file=sys.stderr)
        else:
            read = f"GET /orders?partner_order_id={partner_order_id}"
            print(f"UNCERTAIN: read {read} before deciding on the money", file=sys.stderr)
        raise


def main() -> None:
    try:
        api = PartnerApi(
            os.environ["PARTNER_BASE_URL"],
            os.environ["PARTNER_API_KEY"],
            os.environ["PARTNER_SECRET"],
        )
    except KeyError as missing:
        raise Failure(f"set {missing.args[0]}")

    events = api.call("GET", "/events?limit=100&offset=0")
    on_sale = [
        event["event_id"]
        for event in events["data"]
        if event["status"] == "sales_open" and event["access"] == "active"
    ]
    event_id = os.environ.get("EVENT_ID") or next(iter(on_sale), None)
    if not event_id:
        raise Failure("no event is on sale")
    print(f"1. Events: {events['meta']['total']} granted; selling {event_id}")

    booking = book_two_seats(api, event_id)
    held = ", ".join(seat["space_id"] for seat in booking["seats"])
    print(
        f"3. Booking {booking['booking_id']} holds {held} "
        f"for {booking['ttl_seconds']} s, until {booking['expires_at']}"
    )

    # The order locks the seats while the buyer pays.
    partner_order_id = str(uuid.uuid4())  # store it before the call
    order = api.call(
        "POST",
        "/orders",
        {
            "booking_id": booking["booking_id"],
            "partner_order_id": partner_order_id,
            "customer": {"email": "buyer@example.com"},
            "consent": True,
        },
    )["data"]
    if order["status"] != "pending":
        raise Failure(f"order {order['order_id']} is {order['status']}")
    print(
        f"4. Order {order['order_id']}: {order['total_tenge']} tenge, "
        f"to be paid until {order['expires_at']}"
    )

    # Charge only now, then confirm at once.
    payment = charge(order["total_tenge"])
    if payment is None:
        cancelled = api.call("POST", f"/orders/{order['order_id']}/cancel")["data"]
        print(f"5. The payment was declined; order {order['order_id']} is {cancelled['status']}")
        return
    paid = confirm(api, order, partner_order_id, payment)
    print(f"5. Order {paid['order_id']} is {paid['status']}")

    # The tickets are as good as money: the file is for this user only.
    name = f"tickets-{partner_order_id}.json"
    descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        json.dump(paid["tickets"], file, ensure_ascii=False, indent=2)
    print(f"6. Saved {len(paid['tickets'])} tickets to {name}")
    for ticket in paid["tickets"]:
        length = len(ticket["qr_token"])
        print(f"   {ticket['number']}: QR token of {length} characters, {ticket['pdf_url']}")


if __name__ == "__main__":
    try:
        check_vector() if sys.argv[1:] == ["--check-vector"] else main()
    except Failure as failure:
        sys.exit(f"FAILED: {failure}")
