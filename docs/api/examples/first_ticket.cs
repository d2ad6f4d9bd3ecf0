// Sells two tickets of one event. .NET 8 or newer, nothing to install.
//
//   dotnet new console -o first_ticket && cp first_ticket.cs first_ticket/Program.cs
//   PARTNER_BASE_URL=… PARTNER_API_KEY=… PARTNER_SECRET=… dotnet run --project first_ticket
//   dotnet run --project first_ticket -- --check-vector
#pragma warning disable nullable
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Threading.Tasks;

public sealed class ApiException : Exception
{
    public string Code { get; }
    public JsonNode Details { get; }

    public ApiException(string call, int status, string requestId, JsonNode error)
        : base(Describe(call, status, requestId, error))
    {
        Code = (string)error?["code"];
        Details = error?["details"];
    }

    private static string Describe(string call, int status, string requestId, JsonNode error)
    {
        var code = (string)error?["code"] ?? "without a code";
        var details = error?["details"]?.ToJsonString() ?? "";
        return $"{call}: HTTP {status} {code} (X-Request-Id {requestId}) {(string)error?["message"]} {details}";
    }
}

/// <summary>No answer came, so what happened on the other side is not known.</summary>
public sealed class NoAnswerException : Exception
{
    public NoAnswerException(string message, Exception cause) : base(message, cause) { }
}

public static class Signature
{
    /// <summary>The lower-case hex HMAC-SHA256 of timestamp, method, uri and body joined by line feeds.</summary>
    public static string Sign(string secret, string timestamp, string method, string uri, byte[] body)
    {
        var head = Encoding.UTF8.GetBytes(timestamp + "\n" + method + "\n" + uri + "\n");
        using (var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(secret)))
        {
            var hash = hmac.ComputeHash(head.Concat(body).ToArray());
            return BitConverter.ToString(hash).Replace("-", "").ToLowerInvariant();
        }
    }
}

public sealed class PartnerApi
{
    private readonly string baseUrl;
    private readonly string apiKey;
    private readonly string secret;
    private readonly HttpClient http = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false })
    {
        Timeout = TimeSpan.FromSeconds(10),
    };

    public PartnerApi(string baseUrl, string apiKey, string secret)
    {
        this.baseUrl = baseUrl.TrimEnd('/');
        this.apiKey = apiKey;
        this.secret = secret;
    }

    /// <summary>
    /// Signs and sends one call and returns the parsed answer.
    /// Repeats it, signed afresh, when the answer is lost, 408, 429 or 5xx: every call is idempotent.
    /// </summary>
    public async Task<JsonNode> Call(string method, string path, JsonObject payload = null)
    {
        var url = new Uri(baseUrl + path);
        var call = method + " " + url.PathAndQuery;
        // Serialised once: these very bytes are signed and sent.
        var body = Encoding.UTF8.GetBytes(payload == null ? "" : payload.ToJsonString());

        for (var attempt = 1; ; attempt++)
        {
            var requestId = Guid.NewGuid().ToString();
            var pause = TimeSpan.FromSeconds(1 << (attempt - 1));
            Exception failure;
            try
            {
                using (var request = Signed(method, url, body, requestId))
                using (var response = await http.SendAsync(request))
                {
                    var answer = ParseJson(await response.Content.ReadAsStringAsync());
                    if (response.IsSuccessStatusCode && answer != null)
                    {
                        return answer;
                    }
                    IEnumerable<string> echoed;
                    if (response.Headers.TryGetValues("X-Request-Id", out echoed))
                    {
                        requestId = echoed.First();
                    }
                    pause = response.Headers.RetryAfter?.Delta ?? pause;
                    var status = (int)response.StatusCode;
                    failure = new ApiException(call, status, requestId, answer?["error"] as JsonObject);
                    if (status >= 300 && status < 500 && status != 408 && status != 429)
                    {
                        throw failure;
                    }
                }
            }
            catch (Exception error) when (error is HttpRequestException || error is TaskCanceledException || error is IOException)
            {
                failure = new NoAnswerException($"{call}: no answer (X-Request-Id {requestId}): {error.Message}", error);
            }
            if (attempt == 4)
            {
                throw failure;
            }
            Console.Error.WriteLine($"   {failure.Message}; again in {pause.TotalSeconds} s");
            await Task.Delay(pause);
        }
    }

    private HttpRequestMessage Signed(string method, Uri url, byte[] body, string requestId)
    {
        var timestamp = DateTimeOffset.UtcNow.ToUnixTimeSeconds().ToString();
        var request = new HttpRequestMessage(new HttpMethod(method), url);
        request.Headers.Add("X-Api-Key", apiKey);
        request.Headers.Add("X-Timestamp", timestamp);
        request.Headers.Add("X-Signature", Signature.Sign(secret, timestamp, method, url.PathAndQuery, body));
        request.Headers.Add("X-Request-Id", requestId);
        if (method == "POST")
        {
            request.Content = new ByteArrayContent(body);
            request.Content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
        }
        return request;
    }

    /// <summary>A proxy in front of the service may answer without JSON: then only the HTTP status counts.</summary>
    private static JsonObject ParseJson(string text)
    {
        try
        {
            return JsonNode.Parse(text) as JsonObject;
        }
        catch (JsonException)
        {
            return null;
        }
    }
}

public static class FirstTicket
{
    private static void CheckVector()
    {
        const string secret = "sk_sandbox_check_vector_0123456789abcdef";
        const string body = @"{""event_id"":""evt_check_vector"",""partner_booking_id"":""check/2026/0001"",""seats"":[""seat-a-1"",""seat-a-2""],""customer"":{""name"":""Айгүл Нұрланқызы"",""email"":""aigul+tickets@example.com"",""phone"":""+77010000001""}}";
        var booking = Signature.Sign(secret, "1789000000", "POST", "/api/v1/partners/bookings", Encoding.UTF8.GetBytes(body));
        var events = Signature.Sign(secret, "1789000060", "GET", "/api/v1/partners/events?offset=0&limit=10", new byte[0]);
        Console.WriteLine("create_booking " + booking);
        Console.WriteLine("list_events " + events);
    }

    private sealed class Payment
    {
        public string PaidAt;
        public string ExternalPaymentId;
    }

    /// <summary>Your acquirer goes here. CHARGE=decline plays a refused card.</summary>
    private static Payment Charge(long totalTenge)
    {
        if (Environment.GetEnvironmentVariable("CHARGE") == "decline")
        {
            return null;
        }
        return new Payment
        {
            PaidAt = DateTime.UtcNow.ToString("yyyy-MM-dd'T'HH':'mm':'ss.fff'+00:00'"),
            ExternalPaymentId = Guid.NewGuid().ToString(),
        };
    }

    /// <summary>
    /// Holds two seats. Reads are advice; only a booking guarantees, so a lost race is no error:
    /// take other seats under a new partner_booking_id.
    /// </summary>
    private static async Task<JsonNode> BookTwoSeats(PartnerApi api, string eventId)
    {
        var sectors = (await api.Call("GET", $"/events/{eventId}/seats"))["data"].AsArray();
        Console.WriteLine($"2. Sectors: {sectors.Count}");

        foreach (var sector in sectors.Where(each => (int)each["free_seats"] >= 2))
        {
            var sectorId = (string)sector["sector_id"];
            var seats = (await api.Call("GET", $"/events/{eventId}/seats?sector={Uri.EscapeDataString(sectorId)}"))["data"].AsArray();
            var candidates = seats.Where(seat => (bool)seat["is_sellable"]).Select(seat => (string)seat["space_id"]).ToList();
            Console.WriteLine($"   Sector {sectorId}: {candidates.Count} seats to sell");

            for (var attempt = 1; attempt <= 5 && candidates.Count >= 2; attempt++)
            {
                var partnerBookingId = Guid.NewGuid().ToString(); // store it before the call
                try
                {
                    return (await api.Call("POST", "/bookings", new JsonObject
                    {
                        ["event_id"] = eventId,
                        ["partner_booking_id"] = partnerBookingId,
                        ["seats"] = new JsonArray(candidates[0], candidates[1]),
                    }))["data"];
                }
                catch (ApiException error) when (error.Code == "SEATS_NOT_AVAILABLE")
                {
                    var taken = error.Details["seats"].AsArray().Select(seat => (string)seat).ToList();
                    Console.WriteLine($"   Taken meanwhile: {string.Join(", ", taken)}; trying others");
                    candidates = candidates.Except(taken).ToList();
                }
            }
        }
        throw new InvalidOperationException("no two seats are left");
    }

    private static async Task<JsonNode> Confirm(PartnerApi api, JsonNode order, string partnerOrderId, Payment payment)
    {
        try
        {
            return (await api.Call("POST", $"/orders/{(string)order["order_id"]}/confirm", new JsonObject
            {
                ["payment_info"] = new JsonObject
                {
                    ["amount_tenge"] = (long)order["total_tenge"],
                    ["paid_at"] = payment.PaidAt,
                    ["external_payment_id"] = payment.ExternalPaymentId,
                    ["currency"] = "KZT",
                    ["method"] = "card",
                },
            }))["data"];
        }
        catch (Exception error)
        {
            var code = (error as ApiException)?.Code;
            if (code == "ORDER_EXPIRED" || code == "ORDER_CANCELLED" || code == "EVENT_CANCELLED")
            {
                Console.Error.WriteLine("RETURN THE MONEY: there will be no tickets");
            }
            else
            {
                Console.Error.WriteLine($"UNCERTAIN: read GET /orders?partner_order_id={partnerOrderId} before deciding on the money");
            }
            throw;
        }
    }

    private static async Task Run()
    {
        var api = new PartnerApi(Required("PARTNER_BASE_URL"), Required("PARTNER_API_KEY"), Required("PARTNER_SECRET"));

        var events = await api.Call("GET", "/events?limit=100&offset=0");
        var onSale = events["data"].AsArray().FirstOrDefault(
            each => (string)each["status"] == "sales_open" && (string)each["access"] == "active");
        var eventId = Environment.GetEnvironmentVariable("EVENT_ID");
        if (string.IsNullOrEmpty(eventId))
        {
            eventId = (string)onSale?["event_id"] ?? throw new InvalidOperationException("no event is on sale");
        }
        Console.WriteLine($"1. Events: {(int)events["meta"]["total"]} granted; selling {eventId}");

        var booking = await BookTwoSeats(api, eventId);
        var held = string.Join(", ", booking["seats"].AsArray().Select(seat => (string)seat["space_id"]));
        Console.WriteLine($"3. Booking {(string)booking["booking_id"]} holds {held} for {(int)booking["ttl_seconds"]} s, until {(string)booking["expires_at"]}");

        // The order locks the seats while the buyer pays.
        var partnerOrderId = Guid.NewGuid().ToString(); // store it before the call
        var order = (await api.Call("POST", "/orders", new JsonObject
        {
            ["booking_id"] = (string)booking["booking_id"],
            ["partner_order_id"] = partnerOrderId,
            ["customer"] = new JsonObject { ["email"] = "buyer@example.com" },
            ["consent"] = true,
        }))["data"];
        var orderId = (string)order["order_id"];
        if ((string)order["status"] != "pending")
        {
            throw new InvalidOperationException($"order {orderId} is {(string)order["status"]}");
        }
        Console.WriteLine($"4. Order {orderId}: {(long)order["total_tenge"]} tenge, to be paid until {(string)order["expires_at"]}");

        // Charge only now, then confirm at once.
        var payment = Charge((long)order["total_tenge"]);
        if (payment == null)
        {
            var cancelled = (await api.Call("POST", $"/orders/{orderId}/cancel"))["data"];
            Console.WriteLine($"5. The payment was declined; order {orderId} is {(string)cancelled["status"]}");
            return;
        }
        var paid = await Confirm(api, order, partnerOrderId, payment);
        Console.WriteLine($"5. Order {orderId} is {(string)paid["status"]}");

        // The tickets are as good as money: keep the file to yourself.
        var file = $"tickets-{partnerOrderId}.json";
        var tickets = paid["tickets"].AsArray();
        File.WriteAllText(file, tickets.ToJsonString());
        Console.WriteLine($"6. Saved {tickets.Count} tickets to {file}");
        foreach (var ticket in tickets)
        {
            var token = (string)ticket["qr_token"];
            Console.WriteLine($"   {(string)ticket["number"]}: QR token of {token.Length} characters, {(string)ticket["pdf_url"]}");
        }
    }

    private static string Required(string name)
    {
        var value = Environment.GetEnvironmentVariable(name);
        return string.IsNullOrEmpty(value) ? throw new InvalidOperationException("set " + name) : value;
    }

    public static int Main(string[] args)
    {
        if (args.Length > 0 && args[0] == "--check-vector")
        {
            CheckVector();
            return 0;
        }
        try
        {
            Run().GetAwaiter().GetResult();
            return 0;
        }
        catch (Exception error)
        {
            Console.Error.WriteLine("FAILED: " + error.Message);
            return 1;
        }
    }
}
