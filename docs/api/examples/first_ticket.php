<?php

// Sells two tickets of one event. PHP 8.1 or newer with openssl (for https), nothing to install.
//
//   PARTNER_BASE_URL=… PARTNER_API_KEY=… PARTNER_SECRET=… php first_ticket.php
//   php first_ticket.php --check-vector

declare(strict_types=1);

/** The lower-case hex HMAC-SHA256 of timestamp, method, uri and body joined by line feeds. */
function sign(string $secret, string $timestamp, string $method, string $uri, string $body): string
{
    return hash_hmac('sha256', "$timestamp\n$method\n$uri\n$body", $secret);
}

if (($argv[1] ?? '') === '--check-vector') {
    $secret = 'sk_sandbox_check_vector_0123456789abcdef';
    $body = '{"event_id":"evt_check_vector","partner_booking_id":"check/2026/0001","seats":["seat-a-1","seat-a-2"],"customer":{"name":"Айгүл Нұрланқызы","email":"aigul+tickets@example.com","phone":"+77010000001"}}';
    $booking = sign($secret, '1789000000', 'POST', '/api/v1/partners/bookings', $body);
    $events = sign($secret, '1789000060', 'GET', '/api/v1/partners/events?offset=0&limit=10', '');
    echo "create_booking $booking\n";
    echo "list_events $events\n";
    exit;
}

final class ApiError extends RuntimeException
{
    public readonly string $errorCode;
    public readonly array $details;

    public function __construct(string $call, int $status, string $requestId, mixed $error)
    {
        $error = is_array($error) ? $error : [];
        $this->errorCode = $error['code'] ?? 'without a code';
        $this->details = $error['details'] ?? [];
        parent::__construct(sprintf(
            '%s: HTTP %d %s (X-Request-Id %s) %s %s',
            $call,
            $status,
            $this->errorCode,
            $requestId,
            $error['message'] ?? '',
            json_encode($this->details, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES),
        ));
    }
}

final class PartnerApi
{
    private readonly string $origin;
    private readonly string $prefix;

    public function __construct(string $baseUrl, private readonly string $key, private readonly string $secret)
    {
        preg_match('#^(https?://[^/]+)(.*?)/?$#', $baseUrl, $parts) ?: fail('PARTNER_BASE_URL is not a URL');
        [, $this->origin, $this->prefix] = $parts;
    }

    /**
     * Signs and sends one call and returns the parsed answer.
     * Repeats it, signed afresh, when the answer is lost, 408, 429 or 5xx: every call is idempotent.
     */
    public function call(string $method, string $path, ?array $payload = null): array
    {
        $uri = $this->prefix . $path;
        // Serialised once: these very bytes are signed and sent.
        $body = $payload === null ? '' : json_encode($payload, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);

        for ($attempt = 1; ; $attempt++) {
            $requestId = new_uuid();
            $pause = 2 ** ($attempt - 1);
            [$status, $headers, $text] = $this->send($method, $uri, $body, $requestId);
            if ($status === 0) {
                $failure = new RuntimeException("$method $uri: no answer (X-Request-Id $requestId): $text");
            } else {
                // A proxy in front of the service may answer without JSON: then only the status counts.
                $answer = json_decode($text, true);
                if ($status >= 200 && $status < 300 && is_array($answer)) {
                    return $answer;
                }
                $requestId = $headers['x-request-id'] ?? $requestId;
                $pause = (int) ($headers['retry-after'] ?? 0) ?: $pause;
                $failure = new ApiError("$method $uri", $status, $requestId, $answer['error'] ?? null);
                if ($status >= 300 && $status < 500 && !in_array($status, [408, 429], true)) {
                    throw $failure;
                }
            }
            if ($attempt === 4) {
                throw $failure;
            }
            fwrite(STDERR, "   {$failure->getMessage()}; again in $pause s\n");
            sleep($pause);
        }
    }

    /** Returns status, headers and body; status 0 and a reason when no answer came. */
    private function send(string $method, string $uri, string $body, string $requestId): array
    {
        $timestamp = (string) time();
        $headers = [
            "X-Api-Key: $this->key",
            "X-Timestamp: $timestamp",
            'X-Signature: ' . sign($this->secret, $timestamp, $method, $uri, $body),
            "X-Request-Id: $requestId",
            'Connection: close',
        ];
        if ($method === 'POST') {
            $headers[] = 'Content-Type: application/json';
            $headers[] = 'Content-Length: ' . strlen($body);
        }
        $stream = @fopen($this->origin . $uri, 'r', false, stream_context_create(['http' => [
            'method' => $method,
            'protocol_version' => 1.1,
            'header' => $headers,
            'content' => $body,
            'timeout' => 10,
            'ignore_errors' => true,
            'follow_location' => 0,
        ]]));
        if ($stream === false) {
            return [0, [], error_get_last()['message'] ?? 'unknown'];
        }
        $text = stream_get_contents($stream);
        $meta = stream_get_meta_data($stream);
        fclose($stream);
        if ($text === false || $meta['timed_out']) {
            return [0, [], 'timed out'];
        }

        $lines = $meta['wrapper_data'];
        $status = (int) explode(' ', array_shift($lines))[1];
        $received = [];
        foreach ($lines as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $received[strtolower($name)] = trim($value);
        }
        return [$status, $received, $text];
    }
}

function new_uuid(): string
{
    $bytes = random_bytes(16);
    $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
    $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
    return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
}

function fail(string $message): never
{
    fwrite(STDERR, "FAILED: $message\n");
    exit(1);
}

/** Your acquirer goes here. CHARGE=decline plays a refused card. */
function charge(int $totalTenge): ?array
{
    if (getenv('CHARGE') === 'decline') {
        return null;
    }
    $paidAt = new DateTimeImmutable('now', new DateTimeZone('UTC'));
    return ['external_payment_id' => new_uuid(), 'paid_at' => $paidAt->format('Y-m-d\TH:i:s.vP')];
}

/**
 * Holds two seats. Reads are advice; only a booking guarantees, so a lost race is no error:
 * take other seats under a new partner_booking_id.
 */
function book_two_seats(PartnerApi $api, string $eventId): array
{
    $sectors = $api->call('GET', "/events/$eventId/seats")['data'];
    echo '2. Sectors: ', count($sectors), "\n";

    foreach ($sectors as $sector) {
        if ($sector['free_seats'] < 2) {
            continue;
        }
        $query = 'sector=' . rawurlencode($sector['sector_id']);
        $seats = $api->call('GET', "/events/$eventId/seats?$query")['data'];
        $candidates = array_column(array_filter($seats, fn ($seat) => $seat['is_sellable']), 'space_id');
        echo "   Sector {$sector['sector_id']}: ", count($candidates), " seats to sell\n";

        for ($attempt = 1; $attempt <= 5 && count($candidates) >= 2; $attempt++) {
            $partnerBookingId = new_uuid(); // store it before the call
            try {
                return $api->call('POST', '/bookings', [
                    'event_id' => $eventId,
                    'partner_booking_id' => $partnerBookingId,
                    'seats' => array_slice($candidates, 0, 2),
                ])['data'];
            } catch (ApiError $error) {
                if ($error->errorCode !== 'SEATS_NOT_AVAILABLE') {
                    throw $error;
                }
                $taken = $error->details['seats'];
                echo '   Taken meanwhile: ', implode(', ', $taken), "; trying others\n";
                // array_values: with a gap in its keys the array would become a JSON object.
                $candidates = array_values(array_diff($candidates, $taken));
            }
        }
    }
    throw new RuntimeException('no two seats are left');
}

function confirm(PartnerApi $api, array $order, string $partnerOrderId, array $payment): array
{
    try {
        return $api->call('POST', "/orders/{$order['order_id']}/confirm", ['payment_info' => [
            'amount_tenge' => $order['total_tenge'],
            'paid_at' => $payment['paid_at'],
            'external_payment_id' => $payment['external_payment_id'],
            'currency' => 'KZT',
            'method' => 'card',
        ]])['data'];
    } catch (RuntimeException $error) {
        $code = $error instanceof ApiError ? $error->errorCode : '';
        if (in_array($code, ['ORDER_EXPIRED', 'ORDER_CANCELLED', 'EVENT_CANCELLED'], true)) {
            fwrite(STDERR, "RETURN THE MONEY: there will be no tickets\n");
        } else {
            $read = "GET /orders?partner_order_id=$partnerOrderId";
            fwrite(STDERR, "UNCERTAIN: read $read before deciding on the money\n");
        }
        throw $error;
    }
}

function main(): void
{
    $api = new PartnerApi(
        getenv('PARTNER_BASE_URL') ?: fail('set PARTNER_BASE_URL'),
        getenv('PARTNER_API_KEY') ?: fail('set PARTNER_API_KEY'),
        getenv('PARTNER_SECRET') ?: fail('set PARTNER_SECRET'),
    );

    $events = $api->call('GET', '/events?limit=100&offset=0');
    $onSale = array_filter(
        $events['data'],
        fn ($event) => $event['status'] === 'sales_open' && $event['access'] === 'active',
    );
    $eventId = getenv('EVENT_ID') ?: (array_column($onSale, 'event_id')[0] ?? fail('no event is on sale'));
    echo "1. Events: {$events['meta']['total']} granted; selling $eventId\n";

    $booking = book_two_seats($api, $eventId);
    $held = implode(', ', array_column($booking['seats'], 'space_id'));
    echo "3. Booking {$booking['booking_id']} holds $held ",
        "for {$booking['ttl_seconds']} s, until {$booking['expires_at']}\n";

    // The order locks the seats while the buyer pays.
    $partnerOrderId = new_uuid(); // store it before the call
    $order = $api->call('POST', '/orders', [
        'booking_id' => $booking['booking_id'],
        'partner_order_id' => $partnerOrderId,
        'customer' => ['email' => 'buyer@example.com'],
        'consent' => true,
    ])['data'];
    if ($order['status'] !== 'pending') {
        throw new RuntimeException("order {$order['order_id']} is {$order['status']}");
    }
    echo "4. Order {$order['order_id']}: {$order['total_tenge']} tenge, to be paid until {$order['expires_at']}\n";

    // Charge only now, then confirm at once.
    $payment = charge($order['total_tenge']);
    if ($payment === null) {
        $cancelled = $api->call('POST', "/orders/{$order['order_id']}/cancel")['data'];
        echo "5. The payment was declined; order {$order['order_id']} is {$cancelled['status']}\n";
        return;
    }
    $paid = confirm($api, $order, $partnerOrderId, $payment);
    echo "5. Order {$paid['order_id']} is {$paid['status']}\n";

    // The tickets are as good as money: the file is for this user only.
    $file = "tickets-$partnerOrderId.json";
    umask(0077);
    file_put_contents($file, json_encode($paid['tickets'], JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES));
    echo '6. Saved ', count($paid['tickets']), " tickets to $file\n";
    foreach ($paid['tickets'] as $ticket) {
        echo "   {$ticket['number']}: QR token of ", strlen($ticket['qr_token']), " characters, {$ticket['pdf_url']}\n";
    }
}

try {
    main();
} catch (RuntimeException $error) {
    fail($error->getMessage());
}
