// Verifies the qr_token of a ticket without a network. .NET 8 or newer, nothing to install.
//
//   dotnet new console -o verify_qr && cp verify_qr.cs verify_qr/Program.cs
//   dotnet run --project verify_qr -- jwks.json EVENT_ID QR_TOKEN
//   dotnet run --project verify_qr -- --check-vector qr_check_vector.json
#pragma warning disable nullable
using System;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;

public static class Program
{
    public static int Main(string[] arguments)
    {
        if (arguments[0] == "--check-vector")
        {
            var vector = ReadJson(arguments[1]);
            foreach (var one in vector["tokens"].AsArray())
            {
                var now = (long)(one["now"] ?? vector["now"]);
                var (verdict, _) = VerifyQr((string)one["token"], (string)one["event_id"], vector["jwks"], now);
                Console.WriteLine($"{(string)one["name"]} {verdict}");
            }
            return 0;
        }
        var seconds = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
        var (result, ticket) = VerifyQr(arguments[2], arguments[1], ReadJson(arguments[0]), seconds);
        Console.WriteLine(ticket == null
            ? result
            : $"valid {(string)ticket["sub"]} {(string)ticket["number"]} {(string)ticket["space_id"]}");
        return ticket == null ? 1 : 0;
    }

    /// <summary>The verdict, and the claims of a valid ticket; now is Unix time in seconds.</summary>
    private static (string Verdict, JsonNode Claims) VerifyQr(string token, string eventId, JsonNode jwks, long now)
    {
        var parts = token.Split('.');
        var header = parts.Length == 3 ? DecodeJson(parts[0]) : null;
        var kid = Text(header, "kid");
        // The algorithm is ours to say, never the token's: anything but ES256 is no ticket.
        if (Text(header, "alg") != "ES256" || kid == null) return ("not_a_ticket", null);

        var jwk = jwks["keys"].AsArray().FirstOrDefault(key => Text(key, "kid") == kid);
        if (jwk == null) return ("unknown_key", null);
        if (!IsSignedBy(jwk, parts[0] + "." + parts[1], Decode(parts[2]))) return ("bad_signature", null);

        // Claims mean something only now that the signature is good.
        var claims = DecodeJson(parts[1]);
        if (Text(claims, "event_id") != eventId) return ("wrong_event", null);
        if (now >= (long)claims["exp"]) return ("expired", null);
        return ("valid", claims);
    }

    private static bool IsSignedBy(JsonNode jwk, string signed, byte[] signature)
    {
        var point = new ECPoint { X = Decode(Text(jwk, "x")), Y = Decode(Text(jwk, "y")) };
        using (var key = ECDsa.Create(new ECParameters { Curve = ECCurve.NamedCurves.nistP256, Q = point }))
        {
            // .NET reads a signature as a JWT has it: r and s as they are, 32 bytes each.
            return signature != null && signature.Length == 64
                && key.VerifyData(Encoding.ASCII.GetBytes(signed), signature, HashAlgorithmName.SHA256);
        }
    }

    private static string Text(JsonNode node, string name)
    {
        var value = (node as JsonObject)?[name] as JsonValue;
        return value != null && value.TryGetValue(out string text) ? text : null;
    }

    private static byte[] Decode(string part)
    {
        var padded = part.Replace('-', '+').Replace('_', '/').PadRight((part.Length + 3) / 4 * 4, '=');
        try { return Convert.FromBase64String(padded); }
        catch (FormatException) { return null; }
    }

    private static JsonNode DecodeJson(string part)
    {
        var bytes = Decode(part);
        try { return bytes == null ? null : JsonNode.Parse(bytes); }
        catch (JsonException) { return null; }
    }

    private static JsonNode ReadJson(string file) => JsonNode.Parse(File.ReadAllText(file));
}
