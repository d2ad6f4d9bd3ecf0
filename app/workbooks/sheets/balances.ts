import { isOpenCase, openExposure } from '#defects/cases/open_exposure'
import type { ExplainedPurchase } from '#defects/balance/explained'
import type { ExposedParty } from '#defects/facts/exposure'
import { withBalanceTexts } from '#workbooks/sheets/balance_texts'
import { PLACE_OF_LINE } from '#workbooks/sheets/register'
import { within15Digits } from '#workbooks/sheets/scope_sql'
import {
  GREY_FILL,
  changeableColumn,
  linkColumn,
  rowNumber,
  translatedColumn,
  type DataRow,
  type DataSheet,
} from '#workbooks/sheets/sheet'
import type { Words } from '#workbooks/words/words'
import { linkToRow } from '#spreadsheets/cells'

/** More than a case has purchases or payments: what is only summed comes after them. */
const LAST = 1_000_000

/** To the case's first defect, from its total. */
const toDefects = ({ kind, caseId }: DataRow, words: Words) =>
  kind === 'CASE' ? linkToRow(words.sheets.defects, 'C', 'def_case', String(caseId)) : null

/** The stored exposure, which the findings' shares of the sheet of defects add up to; a case that was never explained has its own sum. */
const openMoney = (party: ExposedParty) => `
  CASE WHEN line.kind = 'CASE'
       THEN CASE WHEN ${isOpenCase('c')} THEN coalesce((c.balance ->> '${party}Tenge')::bigint, ${openExposure('c', party)}) ELSE 0 END
   END::bigint AS "${party}Exposure"`

const figure = (key: keyof ExplainedPurchase) =>
  within15Digits(`(line.figures ->> '${key}')::bigint`)

/** The files and lines of a source's rows, as the sheet of registers has them. */
const REGISTER_LINES = `
  SELECT string_agg(of_file.name || ': ' || of_file.lines, '; ' ORDER BY of_file.register_id, of_file.first) AS text
    FROM (SELECT coalesce(place.name, r.file_name) AS name, r.id AS register_id, min(l.line) AS first,
                 string_agg((l.line - coalesce(place.first_line - 1, 0))::text, ', ' ORDER BY l.line) AS lines
            FROM jsonb_to_recordset(line.shown -> 'lines') AS l ("registerId" integer, line integer)
            JOIN partner_registers r ON r.id = l."registerId"
            LEFT JOIN LATERAL (${PLACE_OF_LINE}) place ON true
           GROUP BY r.id, coalesce(place.name, r.file_name)) of_file`

/**
 * The lines of a case: `figures` is what counts, `shown` what a source shows. A payment has a line for each source; what counts
 * of it is in the line of the first source whose charge counts. A purchase with one payment is one line, as on the page of the case.
 */
const LINES = `
  WITH purchase AS (
    SELECT body, at, body -> 'payments' AS payments,
           body ->> 'rest' IS NULL AND jsonb_array_length(body -> 'payments') = 1 AS is_single
      FROM jsonb_array_elements(c.balance -> 'purchases') WITH ORDINALITY purchases (body, at))
  SELECT 'PURCHASE' AS kind, at AS purchase_at, 0 AS payment_at, 0 AS source_at, body AS figures, body AS purchase,
         NULL::jsonb AS payment, NULL::jsonb AS shown, NULL::integer AS further
    FROM purchase WHERE NOT is_single
   UNION ALL
  SELECT CASE WHEN s.at > 1 THEN 'SOURCE' WHEN p.is_single THEN 'PURCHASE' ELSE 'PAYMENT' END, p.at, y.at, s.at,
         CASE WHEN s.at > 1 THEN NULL WHEN p.is_single THEN p.body ELSE y.body END, p.body, y.body, s.body, NULL
    FROM purchase p, jsonb_array_elements(p.payments) WITH ORDINALITY y (body, at),
         LATERAL (SELECT body, row_number() OVER (ORDER BY body ->> 'isChargeCounted' DESC, body ->> 'isReturnCounted' DESC, at) AS at
                    FROM jsonb_array_elements(y.body -> 'shown') WITH ORDINALITY sources (body, at)) s
   UNION ALL
  SELECT 'PAYMENT', at, ${LAST}, 0, body -> 'rest', NULL, NULL, NULL, (body #>> '{rest,payments}')::integer
    FROM purchase WHERE body ->> 'rest' IS NOT NULL
   UNION ALL
  SELECT 'PURCHASE', ${LAST}, 0, 0, c.balance -> 'rest', NULL, NULL, NULL, (c.balance #>> '{rest,purchases}')::integer
   WHERE c.balance ->> 'rest' IS NOT NULL
   UNION ALL
  SELECT 'CASE', ${LAST}, 1, 0, c.balance, NULL, NULL, NULL, NULL`

/**
 * How the money of each case comes about, as it was stored at the last check: its purchases, their payments, what each source
 * shows of them, and both equations in the line of its total.
 *
 * Example: order 1 of 12,000 confirmed with payment A; a shop shows A 12,000 and B 12,000 for it
 *   order payment line        shown charged returned bought   open   kind
 *   1             Whole             24,000         0 12,000 12,000 PURCHASE
 *         A       Shop       12,000 12,000         0               PAYMENT
 *                 Confirms   12,000                                SOURCE
 *         B       Shop       12,000 12,000         0               PAYMENT
 *                 Total             24,000         0 12,000 12,000 CASE
 */
export const balances: DataSheet = {
  key: 'balances',
  rowKey: 'no',
  hashed: 'changeable',
  paneColumns: 2,
  printedColumns: 16,
  columns: [
    rowNumber('bal_no', 'changeable'),
    changeableColumn('caseId', 'id', 9, { definedName: 'bal_case' }),
    changeableColumn('purchaseOrders', 'id', 20, { api: 'order_id', wrap: true }),
    changeableColumn('paymentId', 'id', 24, {
      api: 'payment_info.external_payment_id',
      wrap: true,
    }),
    translatedColumn('balanceLine', 'text', 20, { wrap: true }),
    changeableColumn('registerLines', 'text', 18, { wrap: true }),
    changeableColumn('shownCharge', 'tenge', 12),
    changeableColumn('shownReturn', 'tenge', 12),
    changeableColumn('countedCharge', 'tenge', 12, { definedName: 'bal_charged' }),
    changeableColumn('countedReturn', 'tenge', 12, { definedName: 'bal_returned' }),
    changeableColumn('bought', 'tenge', 12, { definedName: 'bal_bought' }),
    changeableColumn('openSum', 'tenge', 12, { definedName: 'bal_open', redNegative: true }),
    changeableColumn('buyerExposure', 'tenge', 12, { definedName: 'bal_buyer', isSummed: true }),
    changeableColumn('platformExposure', 'tenge', 12, {
      definedName: 'bal_platform',
      isSummed: true,
    }),
    changeableColumn('partnerExposure', 'tenge', 12, {
      definedName: 'bal_partner',
      isSummed: true,
    }),
    translatedColumn('balanceNote', 'text', 52, { wrap: true }),
    linkColumn('toDefects', 10, toDefects),
    changeableColumn('kind', 'text', 13, { definedName: 'bal_kind' }),
  ],
  conditionalFills: () => [
    {
      when: '{kind}="CASE"',
      fill: GREY_FILL,
      columns: [
        'caseId',
        'purchaseOrders',
        'paymentId',
        'balanceLine',
        'registerLines',
        'shownCharge',
        'shownReturn',
        'countedCharge',
        'countedReturn',
        'bought',
        'openSum',
        'buyerExposure',
        'platformExposure',
        'partnerExposure',
        'balanceNote',
      ],
    },
  ],
  sql: `
    SELECT row_number() OVER (ORDER BY c.occurred_at, c.id, line.purchase_at, line.payment_at, line.source_at)::integer AS no,
           c.id::text AS "caseId", line.kind,
           CASE WHEN line.kind = 'PURCHASE' THEN
             (SELECT string_agg(body ->> 'id', ' ' ORDER BY at)
                FROM jsonb_array_elements(line.purchase -> 'orders') WITH ORDINALITY orders (body, at)) END AS "purchaseOrders",
           CASE WHEN line.kind <> 'SOURCE' THEN line.payment ->> 'paymentId' END AS "paymentId",
           rows_shown.text AS "registerLines",
           ${within15Digits(`nullif((line.shown ->> 'chargedTenge')::bigint, 0)`)} AS "shownCharge",
           ${within15Digits(`nullif((line.shown ->> 'returnedTenge')::bigint, 0)`)} AS "shownReturn",
           ${figure('chargedTenge')} AS "countedCharge", ${figure('returnedTenge')} AS "countedReturn",
           CASE WHEN line.purchase ->> 'isUncertain' IS DISTINCT FROM 'true' THEN ${figure('boughtTenge')} END AS bought,
           ${within15Digits(`coalesce((line.figures ->> 'openTenge')::bigint, (line.figures ->> 'chargedTenge')::bigint
             - (line.figures ->> 'returnedTenge')::bigint - (line.figures ->> 'boughtTenge')::bigint)`)} AS "openSum",
           ${openMoney('buyer')}, ${openMoney('platform')}, ${openMoney('partner')},
           (line.purchase - 'payments' || jsonb_build_object('hasPayments', line.purchase -> 'payments' <> '[]'))::text AS purchase, line.payment::text AS payment, line.shown::text AS shown,
           line.further, CASE WHEN line.kind = 'CASE' THEN (c.balance || '{"purchases": []}')::text END AS balance,
           to_json(c.order_ids)::text AS "orderIds", NOT (${isOpenCase('c')}) AS "isEnded",
           (SELECT json_object_agg(id, name)::text FROM register_sources WHERE partner_id = :partnerId) AS "sourceNames"
      FROM scope_cases c
      CROSS JOIN LATERAL (${LINES}) line
      LEFT JOIN LATERAL (${REGISTER_LINES}) rows_shown ON true`,
  withTexts: withBalanceTexts,
}
