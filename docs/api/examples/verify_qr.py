# Verifies the qr_token of a ticket without a network. Python 3.9 or newer with the package cryptography.
#
#   pip install cryptography
#   python3 verify_qr.py jwks.json EVENT_ID QR_TOKEN
#   python3 verify_qr.py --check-vector qr_check_vector.json
import base64
import json
import sys
import time

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256


def verify_qr(token, event_id, jwks, now):
    """jwks is the event's set of keys, now is Unix time in seconds; returns the verdict and the claims."""
    parts = token.split(".")
    header = decode_json(parts[0]) if len(parts) == 3 else None
    # The algorithm is ours to say, never the token's: anything but ES256 is no ticket.
    if not isinstance(header, dict) or header.get("alg") != "ES256" or not isinstance(header.get("kid"), str):
        return "not_a_ticket", None

    jwk = next((key for key in jwks["keys"] if key["kid"] == header["kid"]), None)
    if jwk is None:
        return "unknown_key", None
    if not is_signed_by(jwk, f"{parts[0]}.{parts[1]}".encode(), parts[2]):
        return "bad_signature", None

    # Claims mean something only now that the signature is good.
    claims = decode_json(parts[1])
    if claims["event_id"] != event_id:
        return "wrong_event", None
    if now >= claims["exp"]:
        return "expired", None
    return "valid", claims


def is_signed_by(jwk, signed, signature):
    x = int.from_bytes(decode(jwk["x"]), "big")
    y = int.from_bytes(decode(jwk["y"]), "big")
    key = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
    try:
        # A JWT has r and s as they are, 32 bytes each; the package wants them in DER.
        raw = decode(signature)
        if len(raw) != 64:
            return False
        r, s = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
        key.verify(encode_dss_signature(r, s), signed, ec.ECDSA(SHA256()))
        return True
    except (InvalidSignature, ValueError):
        return False


def decode(part):
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def decode_json(part):
    try:
        return json.loads(decode(part))
    except ValueError:
        return None


def read_json(file):
    with open(file, encoding="utf-8") as opened:
        return json.load(opened)


if sys.argv[1] == "--check-vector":
    vector = read_json(sys.argv[2])
    for one in vector["tokens"]:
        now = one.get("now", vector["now"])
        print(one["name"], verify_qr(one["token"], one["event_id"], vector["jwks"], now)[0])
else:
    file, event, qr_token = sys.argv[1:4]
    verdict, ticket = verify_qr(qr_token, event, read_json(file), time.time())
    print(f"valid {ticket['sub']} {ticket['number']} {ticket['space_id']}" if ticket else verdict)
    sys.exit(0 if ticket else 1)
