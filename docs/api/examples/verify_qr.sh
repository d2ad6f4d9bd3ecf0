#!/usr/bin/env bash
# Verifies the qr_token of a ticket without a network. Needs bash, openssl and jq.
#
#   bash verify_qr.sh jwks.json EVENT_ID QR_TOKEN
#   bash verify_qr.sh --check-vector qr_check_vector.json
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Bytes of a base64url text.
decode() {
  local text
  text=$(printf '%s' "$1" | tr '_-' '/+')
  while [ $((${#text} % 4)) -ne 0 ]; do text+='='; done
  printf '%s' "$text" | openssl base64 -d -A 2>/dev/null
}
hex_of() { decode "$1" | od -An -v -tx1 | tr -d ' \n'; }
bytes_of() { printf '%b' "$(printf '%s' "$1" | sed 's/../\\x&/g')"; }

# A number of a signature in DER: no zeros in front, and one where the first bit would make it negative.
der_integer() {
  local hex=$1
  while [ ${#hex} -gt 2 ] && [ "${hex:0:2}" = 00 ]; do hex=${hex:2}; done
  if [ "$((16#${hex:0:2}))" -gt 127 ]; then hex=00$hex; fi
  printf '02%02x%s' $((${#hex} / 2)) "$hex"
}

# is_signed_by JWK SIGNED SIGNATURE
is_signed_by() {
  local signature numbers
  signature=$(hex_of "$3")
  [ ${#signature} -eq 128 ] || return 1
  # The beginning of every public key on P-256 in DER, then the point; openssl wants r and s in DER as well.
  bytes_of "3059301306072a8648ce3d020106082a8648ce3d03010703420004$(hex_of "$(jq -r .x <<<"$1")")$(
    hex_of "$(jq -r .y <<<"$1")")" >"$work/key"
  numbers=$(der_integer "${signature:0:64}")$(der_integer "${signature:64}")
  bytes_of "$(printf '30%02x%s' $((${#numbers} / 2)) "$numbers")" >"$work/signature"
  printf '%s' "$2" >"$work/signed"
  openssl dgst -sha256 -keyform DER -verify "$work/key" -signature "$work/signature" "$work/signed" >/dev/null 2>&1
}

# verify_qr TOKEN EVENT_ID JWKS NOW, where NOW is Unix time in seconds; sets VERDICT and CLAIMS.
verify_qr() {
  local header payload signature more kid jwk
  CLAIMS=
  IFS=. read -r header payload signature more <<<"$1"
  # The algorithm is ours to say, never the token's: anything but ES256 is no ticket.
  kid=$(decode "$header" | jq -r 'select(.alg == "ES256") | .kid | strings' 2>/dev/null) || kid=
  VERDICT=not_a_ticket
  [ -n "$kid" ] && [ -n "$payload" ] && [ -z "$more" ] || return 0

  jwk=$(jq -c --arg kid "$kid" 'first(.keys[] | select(.kid == $kid))' <<<"$3")
  VERDICT=unknown_key
  [ -n "$jwk" ] || return 0
  VERDICT=bad_signature
  is_signed_by "$jwk" "$header.$payload" "$signature" || return 0

  # Claims mean something only now that the signature is good.
  VERDICT=$(decode "$payload" | jq -r --arg event "$2" --argjson now "$4" \
    'if .event_id != $event then "wrong_event" elif $now >= .exp then "expired" else "valid" end')
  if [ "$VERDICT" = valid ]; then CLAIMS=$(decode "$payload"); fi
}

if [ "${1:-}" = --check-vector ]; then
  jwks=$(jq -c .jwks "$2")
  while IFS=$'\t' read -r name event now token; do
    verify_qr "$token" "$event" "$jwks" "$now"
    echo "$name $VERDICT"
  done < <(jq -r '.now as $now | .tokens[] | [.name, .event_id, .now // $now, .token] | @tsv' "$2")
  exit
fi
verify_qr "$3" "$2" "$(cat "$1")" "$(date +%s)"
[ -n "$CLAIMS" ] || { echo "$VERDICT"; exit 1; }
jq -r '"valid \(.sub) \(.number) \(.space_id)"' <<<"$CLAIMS"
