#!/usr/bin/env bash
# Sells two tickets of one event. Needs bash, curl, openssl and jq.
#
#   PARTNER_BASE_URL=… PARTNER_API_KEY=… PARTNER_SECRET=… bash first_ticket.sh
#   bash first_ticket.sh --check-vector
#
# For trying the API out: openssl takes the secret as an argument, so other users of the same
# machine can see it in the process list.
set -euo pipefail

# The lower-case hex HMAC-SHA256 of timestamp, method, uri and body joined by line feeds.
sign() { # secret timestamp method uri body
  printf '%s\n%s\n%s\n%s' "$2" "$3" "$4" "$5" | openssl dgst -sha256 -hmac "$1" | awk '{ print $NF }'
}

if [ "${1:-}" = --check-vector ]; then
  secret='sk_sandbox_check_vector_0123456789abcdef'
  body='{"event_id":"evt_check_vector","partner_booking_id":"check/2026/0001","seats":["seat-a-1","seat-a-2"],"customer":{"name":"Айгүл Нұрланқызы","email":"aigul+tickets@example.com","phone":"+77010000001"}}'
  echo "create_booking $(sign "$secret" 1789000000 POST /api/v1/partners/bookings "$body")"
  echo "list_events $(sign "$secret" 1789000060 GET '/api/v1/partners/events?offset=0&limit=10' '')"
  exit
fi

BASE_URL=${PARTNER_BASE_URL:?set PARTNER_BASE_URL, for example http://localhost:3333/api/v1/partners}
BASE_URL=${BASE_URL%/}
: "${PARTNER_API_KEY:?set PARTNER_API_KEY}" "${PARTNER_SECRET:?set PARTNER_SECRET}"
ORIGIN=$(printf '%s' "$BASE_URL" | sed -E 's#^(https?://[^/]+).*$#\1#')
PREFIX=${BASE_URL#"$ORIGIN"}

umask 077 # the tickets are as good as money: the saved file is for this user only
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

new_uuid() {
  openssl rand -hex 16 | sed -E 's/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/\1-\2-4\3-8\4-\5/'
}

# Signs and sends one call; sets STATUS, CODE, REQUEST_ID and the file $WORK/answer.json.
# Repeats it, signed afresh, when the answer is lost, 408, 429 or 5xx: every call is idempotent.
call() { # method path [body]
  local method=$1 uri="$PREFIX$2" body=${3:-} attempt timestamp pause
  local data=(--get)
  [ "$method" = GET ] || data=(--header 'Content-Type: application/json' --data-binary "$body")

  for attempt in 1 2 3 4; do
    timestamp=$(date +%s)
    REQUEST_ID=$(new_uuid)
    : >"$WORK/headers"
    : >"$WORK/answer.json"
    STATUS=$(curl --silent --show-error --globoff --max-time 10 \
      --dump-header "$WORK/headers" --output "$WORK/answer.json" --write-out '%{http_code}' \
      --header "X-Api-Key: $PARTNER_API_KEY" \
      --header "X-Timestamp: $timestamp" \
      --header "X-Signature: $(sign "$PARTNER_SECRET" "$timestamp" "$method" "$uri" "$body")" \
      --header "X-Request-Id: $REQUEST_ID" \
      "${data[@]}" "$ORIGIN$uri") || STATUS=000
    CODE=$(answer '.error.code // empty' 2>/dev/null) || CODE=
    CODE=${CODE:-without a code}

    case $STATUS in
      000 | 408 | 429 | 5??) ;;
      *) return 0 ;;
    esac
    [ "$attempt" -lt 4 ] || return 0
    pause=$(awk 'tolower($1) == "retry-after:" { print $2 + 0 }' "$WORK/headers" | tail -n 1)
    pause=${pause:-$((1 << (attempt - 1)))}
    echo "   $method $uri: HTTP $STATUS $CODE (X-Request-Id $REQUEST_ID); again in $pause s" >&2
    sleep "$pause"
  done
}

answer() { # jq arguments
  jq --raw-output "$@" "$WORK/answer.json"
}

fail() { # what was called
  echo "FAILED: $1: HTTP $STATUS $CODE (X-Request-Id $REQUEST_ID)" >&2
  [ ! -s "$WORK/answer.json" ] || { cat "$WORK/answer.json" && echo; } >&2
  exit 1
}

# Your acquirer goes here. CHARGE=decline plays a refused card.
charge() { # total_tenge
  [ "${CHARGE:-}" != decline ] || return 1
  EXTERNAL_PAYMENT_ID=$(new_uuid)
  PAID_AT=$(jq --null-input --raw-output 'now | (floor | strftime("%Y-%m-%dT%H:%M:%S")) + "." +
    ((. - floor) * 1000 | floor | "00\(.)"[-3:]) + "+00:00"')
}

# 1. What may be sold.
call GET '/events?limit=100&offset=0'
[ "$STATUS" = 200 ] || fail 'list of events'
EVENT_ID=${EVENT_ID:-$(answer 'first(.data[] | select(.status == "sales_open" and .access == "active") | .event_id)')}
[ -n "$EVENT_ID" ] || { echo 'FAILED: no event is on sale' >&2; exit 1; }
echo "1. Events: $(answer .meta.total) granted; selling $EVENT_ID"

# 2. and 3. Free seats, sector by sector, until two of them are held. Reads are advice; only a
# booking guarantees, so a lost race is no error: take other seats under a new partner_booking_id.
call GET "/events/$EVENT_ID/seats"
[ "$STATUS" = 200 ] || fail 'sectors'
echo "2. Sectors: $(answer '.data | length')"
BOOKING_ID=
for sector in $(answer '.data[] | select(.free_seats >= 2) | .sector_id | @uri'); do
  call GET "/events/$EVENT_ID/seats?sector=$sector"
  [ "$STATUS" = 200 ] || fail "seats of $sector"
  candidates=$(answer --compact-output '[.data[] | select(.is_sellable) | .space_id]')
  echo "   Sector $sector: $(jq length <<<"$candidates") seats to sell"

  for _ in 1 2 3 4 5; do
    seats=$(jq --compact-output '.[:2]' <<<"$candidates")
    [ "$(jq length <<<"$seats")" = 2 ] || break
    partner_booking_id=$(new_uuid) # store it before the call
    call POST /bookings "$(jq --null-input --compact-output \
      --arg event_id "$EVENT_ID" --arg partner_booking_id "$partner_booking_id" --argjson seats "$seats" \
      '{ $event_id, $partner_booking_id, $seats }')"
    if [ "$CODE" = SEATS_NOT_AVAILABLE ]; then
      taken=$(answer --compact-output .error.details.seats)
      echo "   Taken meanwhile: $(jq --raw-output 'join(", ")' <<<"$taken"); trying others"
      candidates=$(jq --compact-output --argjson taken "$taken" '. - $taken' <<<"$candidates")
      continue
    fi
    [ "$STATUS" = 201 ] || [ "$STATUS" = 200 ] || fail 'booking'
    BOOKING_ID=$(answer .data.booking_id)
    break 2
  done
done
[ -n "$BOOKING_ID" ] || { echo 'FAILED: no two seats are left' >&2; exit 1; }
echo "3. Booking $BOOKING_ID holds $(answer '[.data.seats[].space_id] | join(", ")')" \
  "for $(answer .data.ttl_seconds) s, until $(answer .data.expires_at)"

# 4. The order: it locks the seats while the buyer pays.
PARTNER_ORDER_ID=$(new_uuid) # store it before the call
call POST /orders "$(jq --null-input --compact-output \
  --arg booking_id "$BOOKING_ID" --arg partner_order_id "$PARTNER_ORDER_ID" \
  '{ $booking_id, $partner_order_id, customer: { email: "buyer@example.com" }, consent: true }')"
[ "$STATUS" = 201 ] || [ "$STATUS" = 200 ] || fail 'order'
[ "$(answer .data.status)" = pending ] || fail 'order that is not pending'
ORDER_ID=$(answer .data.order_id)
TOTAL_TENGE=$(answer .data.total_tenge)
echo "4. Order $ORDER_ID: $TOTAL_TENGE tenge, to be paid until $(answer .data.expires_at)"

# 5. Charge only now, then confirm at once.
if ! charge "$TOTAL_TENGE"; then
  call POST "/orders/$ORDER_ID/cancel"
  [ "$STATUS" = 200 ] || fail 'cancel'
  echo "5. The payment was declined; order $ORDER_ID is $(answer .data.status)"
  exit
fi
call POST "/orders/$ORDER_ID/confirm" "$(jq --null-input --compact-output \
  --argjson amount_tenge "$TOTAL_TENGE" --arg paid_at "$PAID_AT" --arg external_payment_id "$EXTERNAL_PAYMENT_ID" \
  '{ payment_info: { $amount_tenge, $paid_at, $external_payment_id, currency: "KZT", method: "card" } }')"
case $STATUS:$CODE in
  200:*) ;;
  *:ORDER_EXPIRED | *:ORDER_CANCELLED | *:EVENT_CANCELLED)
    echo 'RETURN THE MONEY: there will be no tickets' >&2
    fail 'confirm'
    ;;
  *)
    echo "UNCERTAIN: read GET /orders?partner_order_id=$PARTNER_ORDER_ID before deciding on the money" >&2
    fail 'confirm'
    ;;
esac
echo "5. Order $ORDER_ID is $(answer .data.status)"

# 6. The tickets: qr_token goes into the QR as it is.
FILE="tickets-$PARTNER_ORDER_ID.json"
answer .data.tickets >"$FILE"
echo "6. Saved $(jq length "$FILE") tickets to $FILE"
jq --raw-output '.[] | "   \(.number): QR token of \(.qr_token | length) characters, \(.pdf_url)"' "$FILE"
