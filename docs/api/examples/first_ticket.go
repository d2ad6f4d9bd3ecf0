// Sells two tickets of one event. Go 1.19 or newer, nothing to install.
//
//	PARTNER_BASE_URL=… PARTNER_API_KEY=… PARTNER_SECRET=… go run first_ticket.go
//	go run first_ticket.go --check-vector
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// sign returns the lower-case hex HMAC-SHA256 of timestamp, method, uri and body joined by line feeds.
func sign(secret, timestamp, method, uri string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "\n" + method + "\n" + uri + "\n"))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

func checkVector() {
	secret := "sk_sandbox_check_vector_0123456789abcdef"
	body := `{"event_id":"evt_check_vector","partner_booking_id":"check/2026/0001","seats":["seat-a-1","seat-a-2"],"customer":{"name":"Айгүл Нұрланқызы","email":"aigul+tickets@example.com","phone":"+77010000001"}}`
	booking := sign(secret, "1789000000", "POST", "/api/v1/partners/bookings", []byte(body))
	events := sign(secret, "1789000060", "GET", "/api/v1/partners/events?offset=0&limit=10", nil)
	fmt.Println("create_booking", booking)
	fmt.Println("list_events", events)
}

type event struct {
	EventID string `json:"event_id"`
	Status  string `json:"status"`
	Access  string `json:"access"`
}

type sector struct {
	SectorID  string `json:"sector_id"`
	FreeSeats int    `json:"free_seats"`
}

type seat struct {
	SpaceID    string `json:"space_id"`
	IsSellable bool   `json:"is_sellable"`
}

type booking struct {
	BookingID  string `json:"booking_id"`
	Seats      []seat `json:"seats"`
	TTLSeconds int    `json:"ttl_seconds"`
	ExpiresAt  string `json:"expires_at"`
}

type order struct {
	OrderID    string          `json:"order_id"`
	Status     string          `json:"status"`
	TotalTenge int64           `json:"total_tenge"`
	ExpiresAt  string          `json:"expires_at"`
	Tickets    json.RawMessage `json:"tickets"`
}

type ticket struct {
	Number  string `json:"number"`
	QRToken string `json:"qr_token"`
	PDFURL  string `json:"pdf_url"`
}

type answer struct {
	Data json.RawMessage `json:"data"`
	Meta struct {
		Total int `json:"total"`
	} `json:"meta"`
	Error struct {
		Code    string          `json:"code"`
		Message string          `json:"message"`
		Details json.RawMessage `json:"details"`
	} `json:"error"`
}

type apiError struct {
	call      string
	status    int
	requestID string
	code      string
	message   string
	details   json.RawMessage
}

func (e *apiError) Error() string {
	return fmt.Sprintf("%s: HTTP %d %s (X-Request-Id %s) %s %s",
		e.call, e.status, e.code, e.requestID, e.message, e.details)
}

// codeOf returns the error code of the API, or "" when err is not an answer of the API.
func codeOf(err error) string {
	var refusal *apiError
	if errors.As(err, &refusal) {
		return refusal.code
	}
	return ""
}

type partnerAPI struct {
	baseURL, apiKey, secret string
	client                  *http.Client
}

// call signs and sends one call and decodes data of the answer into result. It repeats the call,
// signed afresh, when the answer is lost, 408, 429 or 5xx: every call is idempotent.
func (api *partnerAPI) call(method, path string, payload, result any) (*answer, error) {
	// Serialised once: these very bytes are signed and sent.
	var body []byte
	if payload != nil {
		var err error
		if body, err = json.Marshal(payload); err != nil {
			return nil, err
		}
	}

	for attempt := 1; ; attempt++ {
		parsed, pause, err := api.send(method, path, body)
		if err == nil {
			return parsed, json.Unmarshal(parsed.Data, result)
		}
		var refusal *apiError
		isFinal := errors.As(err, &refusal) && refusal.status >= 300 && refusal.status < 500 &&
			refusal.status != http.StatusRequestTimeout && refusal.status != http.StatusTooManyRequests
		if isFinal || attempt == 4 {
			return nil, err
		}
		if pause == 0 {
			pause = time.Second << (attempt - 1)
		}
		fmt.Fprintf(os.Stderr, "   %v; again in %v\n", err, pause)
		time.Sleep(pause)
	}
}

func (api *partnerAPI) send(method, path string, body []byte) (*answer, time.Duration, error) {
	request, err := http.NewRequest(method, api.baseURL+path, bytes.NewReader(body))
	if err != nil {
		return nil, 0, err
	}
	uri := request.URL.RequestURI()
	timestamp := strconv.FormatInt(time.Now().Unix(), 10)
	requestID := newUUID()
	request.Header.Set("X-Api-Key", api.apiKey)
	request.Header.Set("X-Timestamp", timestamp)
	request.Header.Set("X-Signature", sign(api.secret, timestamp, method, uri, body))
	request.Header.Set("X-Request-Id", requestID)
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/json")
	}

	response, err := api.client.Do(request)
	if err != nil {
		return nil, 0, fmt.Errorf("%s %s: no answer (X-Request-Id %s): %w", method, uri, requestID, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, 0, fmt.Errorf("%s %s: half an answer (X-Request-Id %s): %w", method, uri, requestID, err)
	}

	// A proxy in front of the service may answer without JSON: then only the HTTP status counts.
	var parsed answer
	isJSON := json.Unmarshal(text, &parsed) == nil
	if response.StatusCode >= 200 && response.StatusCode < 300 && isJSON {
		return &parsed, 0, nil
	}
	if echoed := response.Header.Get("X-Request-Id"); echoed != "" {
		requestID = echoed
	}
	if parsed.Error.Code == "" {
		parsed.Error.Code = "without a code"
	}
	seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
	return nil, time.Duration(seconds) * time.Second, &apiError{
		call:      method + " " + uri,
		status:    response.StatusCode,
		requestID: requestID,
		code:      parsed.Error.Code,
		message:   parsed.Error.Message,
		details:   parsed.Error.Details,
	}
}

func newUUID() string {
	b := make([]byte, 16)
	if _, err := rand.Read(b); err != nil {
		panic(err)
	}
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// charge is where your acquirer goes. CHARGE=decline plays a refused card.
func charge(totalTenge int64) (paidAt, externalPaymentID string, approved bool) {
	if os.Getenv("CHARGE") == "decline" {
		return "", "", false
	}
	return time.Now().UTC().Format("2006-01-02T15:04:05.000-07:00"), newUUID(), true
}

// bookTwoSeats holds two seats. Reads are advice; only a booking guarantees, so a lost race is no
// error: take other seats under a new partner_booking_id.
func bookTwoSeats(api *partnerAPI, eventID string) (*booking, error) {
	var sectors []sector
	if _, err := api.call("GET", "/events/"+eventID+"/seats", nil, &sectors); err != nil {
		return nil, err
	}
	fmt.Println("2. Sectors:", len(sectors))

	for _, sector := range sectors {
		if sector.FreeSeats < 2 {
			continue
		}
		var seats []seat
		path := "/events/" + eventID + "/seats?sector=" + url.QueryEscape(sector.SectorID)
		if _, err := api.call("GET", path, nil, &seats); err != nil {
			return nil, err
		}
		var candidates []string
		for _, seat := range seats {
			if seat.IsSellable {
				candidates = append(candidates, seat.SpaceID)
			}
		}
		fmt.Printf("   Sector %s: %d seats to sell\n", sector.SectorID, len(candidates))

		for attempt := 1; attempt <= 5 && len(candidates) >= 2; attempt++ {
			var held booking
			_, err := api.call("POST", "/bookings", map[string]any{
				"event_id":           eventID,
				"partner_booking_id": newUUID(), // store it before the call
				"seats":              candidates[:2],
			}, &held)
			if err == nil {
				return &held, nil
			}
			var refusal *apiError
			if !errors.As(err, &refusal) || refusal.code != "SEATS_NOT_AVAILABLE" {
				return nil, err
			}
			var details struct {
				Seats []string `json:"seats"`
			}
			if err := json.Unmarshal(refusal.details, &details); err != nil {
				return nil, err
			}
			fmt.Printf("   Taken meanwhile: %s; trying others\n", strings.Join(details.Seats, ", "))
			candidates = without(candidates, details.Seats)
		}
	}
	return nil, errors.New("no two seats are left")
}

func without(all, taken []string) []string {
	isTaken := map[string]bool{}
	for _, id := range taken {
		isTaken[id] = true
	}
	var left []string
	for _, id := range all {
		if !isTaken[id] {
			left = append(left, id)
		}
	}
	return left
}

func run() error {
	for _, name := range []string{"PARTNER_BASE_URL", "PARTNER_API_KEY", "PARTNER_SECRET"} {
		if os.Getenv(name) == "" {
			return errors.New("set " + name)
		}
	}
	api := &partnerAPI{
		baseURL: strings.TrimSuffix(os.Getenv("PARTNER_BASE_URL"), "/"),
		apiKey:  os.Getenv("PARTNER_API_KEY"),
		secret:  os.Getenv("PARTNER_SECRET"),
		client: &http.Client{
			Timeout:       10 * time.Second,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}

	var events []event
	list, err := api.call("GET", "/events?limit=100&offset=0", nil, &events)
	if err != nil {
		return err
	}
	eventID := os.Getenv("EVENT_ID")
	for _, event := range events {
		if eventID == "" && event.Status == "sales_open" && event.Access == "active" {
			eventID = event.EventID
		}
	}
	if eventID == "" {
		return errors.New("no event is on sale")
	}
	fmt.Printf("1. Events: %d granted; selling %s\n", list.Meta.Total, eventID)

	held, err := bookTwoSeats(api, eventID)
	if err != nil {
		return err
	}
	var seatIDs []string
	for _, seat := range held.Seats {
		seatIDs = append(seatIDs, seat.SpaceID)
	}
	fmt.Printf("3. Booking %s holds %s for %d s, until %s\n",
		held.BookingID, strings.Join(seatIDs, ", "), held.TTLSeconds, held.ExpiresAt)

	// The order locks the seats while the buyer pays.
	partnerOrderID := newUUID() // store it before the call
	var pending order
	_, err = api.call("POST", "/orders", map[string]any{
		"booking_id":       held.BookingID,
		"partner_order_id": partnerOrderID,
		"customer":         map[string]any{"email": "buyer@example.com"},
		"consent":          true,
	}, &pending)
	if err != nil {
		return err
	}
	if pending.Status != "pending" {
		return fmt.Errorf("order %s is %s", pending.OrderID, pending.Status)
	}
	fmt.Printf("4. Order %s: %d tenge, to be paid until %s\n",
		pending.OrderID, pending.TotalTenge, pending.ExpiresAt)

	// Charge only now, then confirm at once.
	paidAt, externalPaymentID, approved := charge(pending.TotalTenge)
	if !approved {
		var cancelled order
		if _, err := api.call("POST", "/orders/"+pending.OrderID+"/cancel", nil, &cancelled); err != nil {
			return err
		}
		fmt.Printf("5. The payment was declined; order %s is %s\n", pending.OrderID, cancelled.Status)
		return nil
	}
	var paid order
	_, err = api.call("POST", "/orders/"+pending.OrderID+"/confirm", map[string]any{
		"payment_info": map[string]any{
			"amount_tenge":        pending.TotalTenge,
			"paid_at":             paidAt,
			"external_payment_id": externalPaymentID,
			"currency":            "KZT",
			"method":              "card",
		},
	}, &paid)
	switch codeOf(err) {
	case "ORDER_EXPIRED", "ORDER_CANCELLED", "EVENT_CANCELLED":
		fmt.Fprintln(os.Stderr, "RETURN THE MONEY: there will be no tickets")
		return err
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "UNCERTAIN: read GET /orders?partner_order_id=%s before deciding on the money\n", partnerOrderID)
		return err
	}
	fmt.Printf("5. Order %s is %s\n", paid.OrderID, paid.Status)

	// The tickets are as good as money: the file is for this user only.
	file := "tickets-" + partnerOrderID + ".json"
	if err := os.WriteFile(file, paid.Tickets, 0o600); err != nil {
		return err
	}
	var tickets []ticket
	if err := json.Unmarshal(paid.Tickets, &tickets); err != nil {
		return err
	}
	fmt.Printf("6. Saved %d tickets to %s\n", len(tickets), file)
	for _, ticket := range tickets {
		fmt.Printf("   %s: QR token of %d characters, %s\n", ticket.Number, len(ticket.QRToken), ticket.PDFURL)
	}
	return nil
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "--check-vector" {
		checkVector()
		return
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "FAILED:", err)
		os.Exit(1)
	}
}
