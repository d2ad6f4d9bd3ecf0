<?php
// Verifies the qr_token of a ticket without a network. PHP 8.1 or newer with openssl.
//
//   php verify_qr.php jwks.json EVENT_ID QR_TOKEN
//   php verify_qr.php --check-vector qr_check_vector.json
declare(strict_types=1);

/** $jwks is the event's set of keys, $now Unix time in seconds; the verdict, and the claims of a valid ticket. */
function verifyQr(string $token, string $eventId, array $jwks, int $now): array
{
    $parts = explode('.', $token);
    $header = count($parts) === 3 ? decodeJson($parts[0]) : null;
    // The algorithm is ours to say, never the token's: anything but ES256 is no ticket.
    if (($header['alg'] ?? null) !== 'ES256' || !is_string($header['kid'] ?? null)) {
        return ['not_a_ticket', null];
    }

    $known = array_values(array_filter($jwks['keys'], fn (array $key) => $key['kid'] === $header['kid']));
    if ($known === []) {
        return ['unknown_key', null];
    }
    if (!isSignedBy($known[0], "$parts[0].$parts[1]", decode($parts[2]))) {
        return ['bad_signature', null];
    }

    // Claims mean something only now that the signature is good.
    $claims = decodeJson($parts[1]);
    if ($claims['event_id'] !== $eventId) {
        return ['wrong_event', null];
    }
    if ($now >= $claims['exp']) {
        return ['expired', null];
    }
    return ['valid', $claims];
}

function isSignedBy(array $jwk, string $signed, string $signature): bool
{
    if (strlen($signature) !== 64) {
        return false;
    }
    // The beginning of every public key on P-256 in DER, up to the point itself.
    $head = hex2bin('3059301306072a8648ce3d020106082a8648ce3d03010703420004');
    $der = base64_encode($head . decode($jwk['x']) . decode($jwk['y']));
    $pem = "-----BEGIN PUBLIC KEY-----\n" . chunk_split($der, 64, "\n") . "-----END PUBLIC KEY-----\n";
    // A JWT has r and s as they are, 32 bytes each; openssl wants them in DER.
    $numbers = derInteger(substr($signature, 0, 32)) . derInteger(substr($signature, 32));
    $sequence = "\x30" . chr(strlen($numbers)) . $numbers;
    return openssl_verify($signed, $sequence, $pem, OPENSSL_ALGO_SHA256) === 1;
}

function derInteger(string $bytes): string
{
    $short = ltrim($bytes, "\x00");
    // A first bit of 1 would make it negative.
    $positive = $short === '' || ord($short[0]) > 127 ? "\x00" . $short : $short;
    return "\x02" . chr(strlen($positive)) . $positive;
}

function decode(string $part): string
{
    return (string) base64_decode(strtr($part, '-_', '+/'));
}

function decodeJson(string $part): ?array
{
    $value = json_decode(decode($part), true);
    return is_array($value) ? $value : null;
}

function readJson(string $file): array
{
    return json_decode(file_get_contents($file), true, 512, JSON_THROW_ON_ERROR);
}

if (($argv[1] ?? '') === '--check-vector') {
    $vector = readJson($argv[2]);
    foreach ($vector['tokens'] as $one) {
        [$verdict] = verifyQr($one['token'], $one['event_id'], $vector['jwks'], $one['now'] ?? $vector['now']);
        echo "{$one['name']} $verdict\n";
    }
    exit(0);
}
[, $file, $eventId, $token] = $argv;
[$verdict, $claims] = verifyQr($token, $eventId, readJson($file), time());
echo $claims ? "valid {$claims['sub']} {$claims['number']} {$claims['space_id']}\n" : "$verdict\n";
exit($claims ? 0 : 1);
