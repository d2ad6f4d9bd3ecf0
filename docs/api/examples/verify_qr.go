// Verifies the qr_token of a ticket without a network. Go 1.19 or newer, nothing to install.
//
//	go run verify_qr.go jwks.json EVENT_ID QR_TOKEN
//	go run verify_qr.go --check-vector qr_check_vector.json
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"strings"
	"time"
)

type keySet struct {
	Keys []struct {
		Kid string `json:"kid"`
		X   string `json:"x"`
		Y   string `json:"y"`
	} `json:"keys"`
}

type claims struct {
	TicketID string `json:"sub"`
	EventID  string `json:"event_id"`
	SpaceID  string `json:"space_id"`
	Number   string `json:"number"`
	Expires  int64  `json:"exp"`
}

// verifyQr returns the verdict, and the claims of a valid ticket; now is Unix time in seconds.
func verifyQr(token, eventID string, keys keySet, now int64) (string, *claims) {
	var header struct{ Alg, Kid string }
	parts := strings.Split(token, ".")
	// The algorithm is ours to say, never the token's: anything but ES256 is no ticket.
	if len(parts) != 3 || decodeJSON(parts[0], &header) != nil || header.Alg != "ES256" || header.Kid == "" {
		return "not_a_ticket", nil
	}

	key := keys.find(header.Kid)
	if key == nil {
		return "unknown_key", nil
	}
	digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	// A JWT has r and s as they are, 32 bytes each.
	if err != nil || len(signature) != 64 ||
		!ecdsa.Verify(key, digest[:], number(signature[:32]), number(signature[32:])) {
		return "bad_signature", nil
	}

	// Claims mean something only now that the signature is good.
	var ticket claims
	if decodeJSON(parts[1], &ticket) != nil {
		return "not_a_ticket", nil
	}
	if ticket.EventID != eventID {
		return "wrong_event", nil
	}
	if now >= ticket.Expires {
		return "expired", nil
	}
	return "valid", &ticket
}

func (keys keySet) find(kid string) *ecdsa.PublicKey {
	for _, key := range keys.Keys {
		if key.Kid == kid {
			return &ecdsa.PublicKey{Curve: elliptic.P256(), X: number(decode(key.X)), Y: number(decode(key.Y))}
		}
	}
	return nil
}

func number(bytes []byte) *big.Int { return new(big.Int).SetBytes(bytes) }

func decode(part string) []byte {
	bytes, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		return nil
	}
	return bytes
}

func decodeJSON(part string, value any) error { return json.Unmarshal(decode(part), value) }

func readJSON(file string, value any) {
	bytes, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(bytes, value)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func main() {
	if os.Args[1] == "--check-vector" {
		checkVector(os.Args[2])
		return
	}
	var keys keySet
	readJSON(os.Args[1], &keys)
	verdict, ticket := verifyQr(os.Args[3], os.Args[2], keys, time.Now().Unix())
	if ticket == nil {
		fmt.Println(verdict)
		os.Exit(1)
	}
	fmt.Println("valid", ticket.TicketID, ticket.Number, ticket.SpaceID)
}

func checkVector(file string) {
	var vector struct {
		Now    int64  `json:"now"`
		Keys   keySet `json:"jwks"`
		Tokens []struct {
			Name    string `json:"name"`
			EventID string `json:"event_id"`
			Token   string `json:"token"`
			Now     int64  `json:"now"`
		} `json:"tokens"`
	}
	readJSON(file, &vector)
	for _, one := range vector.Tokens {
		now := vector.Now
		if one.Now != 0 {
			now = one.Now
		}
		verdict, _ := verifyQr(one.Token, one.EventID, vector.Keys, now)
		fmt.Println(one.Name, verdict)
	}
}
