import { isInOtherCurrencySql } from '#defects/facts/other_currency'
import { printedIdSql } from '#defects/facts/own_payment_ids'
import { isOpenCase } from '#defects/cases/open_exposure'
import type { ExplainedBalance } from '#defects/balance/explained'
import type { ExposedParty } from '#defects/facts/exposure'
import { oneOrder } from '#sales/queries/one_order'
import { rowCodeOf } from '#workbooks/sheets/row_code'
import { attemptsOn, within15Digits, roleOf, displayable, TITLE } from '#workbooks/sheets/scope_sql'
import {
  AMBER_FILL,
  RED_FILL,
  answerColumn,
  changeableColumn,
  linkColumn,
  rowNumber,
  translatedColumn,
  wordsColumn,
  type DataRow,
  type DataSheet,
} from '#workbooks/sheets/sheet'
import type { Words } from '#workbooks/words/words'
import { linkToRow } from '#spreadsheets/cells'

const SEVERITY_FILLS = { BLOCKER: 'FF9999', HIGH: RED_FILL, MEDIUM: AMBER_FILL }
const BY_SEVERITY = Object.entries(SEVERITY_FILLS).map(([severity, fill]) => ({
  when: `{severity}="${severity}"`,
  fill,
  columns: ['severityName', 'severity'] as const,
}))
const ENDED = `c.state IN ('resolved', 'dismissed')`
const OPEN = '{state}<>"resolved",{state}<>"dismissed"'

const toOrders = ({ isListed, orderId }: DataRow, words: Words) =>
  isListed === true ? linkToRow(words.sheets.orders, 'B', 'ord_id', String(orderId)) : null

const toBalances = ({ caseId }: DataRow, words: Words) =>
  linkToRow(words.sheets.balances, 'B', 'bal_case', String(caseId))

/** The defect's share of its case's money: the shares of a case add up to it. */
const openMoney = (party: ExposedParty) =>
  `CASE WHEN ${isOpenCase('c')} AND d.exposure_party = '${party.toUpperCase()}' THEN d.exposure_tenge ELSE 0 END::bigint AS ${party}`

/** A sum that the balance of the case was drawn from, in the row of its gravest defect, so that a column adds up by case. */
const ofBalance = (figure: keyof ExplainedBalance) =>
  `CASE WHEN d.severity_rank = 1 THEN ${within15Digits(`(c.balance ->> '${figure}')::bigint`)} END`

/**
 * One row per defect, grouped by case; the partner fills in the columns before the row code. The printed columns have words;
 * the codes that formulas and programs read are to the right of them.
 */
export const defects: DataSheet = {
  key: 'defects',
  rowKey: 'defectId',
  hashed: 'changeable',
  partSum: 'exposure',
  paneColumns: 4,
  printedColumns: 16,
  columns: [
    rowNumber('def_no', 'changeable'),
    changeableColumn('defectId', 'id', 11),
    changeableColumn('caseId', 'id', 9, { definedName: 'def_case' }),
    wordsColumn('name', 'code', 44, (words) => words.defects, { wrap: true }),
    wordsColumn('severityName', 'severity', 14, ({ severities }) => severities),
    wordsColumn('stateName', 'state', 14, ({ caseStates }) => caseStates),
    wordsColumn('faultName', 'fault', 12, ({ faults }) => faults),
    changeableColumn('orderId', 'id', 18, { api: 'order_id' }),
    changeableColumn('partnerOrderId', 'id', 26, { api: 'partner_order_id' }),
    changeableColumn('occurredAt', 'moment', 19),
    changeableColumn('exposure', 'tenge', 12, { definedName: 'def_exposure', isSummed: true }),
    changeableColumn('buyerExposure', 'tenge', 12, { definedName: 'def_buyer', isSummed: true }),
    changeableColumn('platformExposure', 'tenge', 12, {
      definedName: 'def_platform',
      isSummed: true,
    }),
    changeableColumn('partnerExposure', 'tenge', 12, {
      definedName: 'def_partner',
      isSummed: true,
    }),
    changeableColumn('seatsResold', 'count', 15),
    changeableColumn('dueOn', 'date', 12),
    linkColumn('toOrders', 10, toOrders),
    linkColumn('toBalances', 10, toBalances),
    changeableColumn('code', 'id', 29, { definedName: 'def_code' }),
    changeableColumn('severity', 'text', 14),
    changeableColumn('subclass', 'text', 26),
    changeableColumn('state', 'text', 13, { definedName: 'def_state' }),
    changeableColumn('fault', 'text', 11),
    changeableColumn('foundAt', 'moment', 19),
    changeableColumn('attempts', 'count', 10, { definedName: 'def_attempts' }),
    changeableColumn('payments', 'count', 11),
    changeableColumn('claimed', 'tenge', 14),
    changeableColumn('total', 'tenge', 14, { api: 'total_tenge' }),
    changeableColumn('caseCharged', 'tenge', 14),
    changeableColumn('caseReturned', 'tenge', 14),
    changeableColumn('caseBought', 'tenge', 14),
    changeableColumn('isStrictBreach', 'flag', 14),
    changeableColumn('hint', 'text', 18),
    changeableColumn('probable', 'tenge', 14),
    changeableColumn('paymentId', 'id', 28, { api: 'payment_info.external_payment_id' }),
    translatedColumn('eventTitle', 'text', 32, { api: 'title' }),
    changeableColumn('createdAt', 'moment', 19, { api: 'created_at' }),
    changeableColumn('windowEndsAt', 'moment', 19, { api: 'expires_at' }),
    changeableColumn('paidAtRaw', 'id', 28, { api: 'payment_info.paid_at' }),
    changeableColumn('paidAt', 'moment', 19, { api: 'payment_info.paid_at' }),
    changeableColumn('deviation', 'count', 13, { redNegative: true }),
    changeableColumn('linkedOrders', 'id', 28),
    changeableColumn('resolution', 'text', 28, { wrap: true }),
    changeableColumn('stateBy', 'text', 14),
    changeableColumn('stateAt', 'moment', 19),
    answerColumn('answer', 'text', 19, { choices: ({ answers }) => Object.values(answers) }),
    answerColumn('refundOn', 'date', 14),
    answerColumn('refundNumber', 'id', 22),
    answerColumn('answerComment', 'text', 36, { wrap: true }),
    changeableColumn('rowCode', 'id', 19),
  ],
  conditionalFills: ({ refundDays }) => [
    ...BY_SEVERITY,
    { when: `AND(${OPEN},LEN({dueOn})>0,{dueOn}<TODAY())`, fill: RED_FILL, columns: ['dueOn'] },
    {
      when: `AND(${OPEN},{exposure}>0,TODAY()-{foundAt}>${refundDays})`,
      fill: AMBER_FILL,
      columns: ['foundAt'],
    },
    { when: 'N({seatsResold})>0', fill: AMBER_FILL, columns: ['seatsResold'] },
  ],
  sql: `
    SELECT row_number() OVER (ORDER BY c.occurred_at, c.id, d.severity_rank)::integer AS no, d.id::text AS "defectId",
           c.id::text AS "caseId", d.code, d.severity, d.is_strict_breach AS "isStrictBreach", concat_ws(' + ', d.subclass, CASE WHEN d.is_recovered THEN 'RECOVERED' END) AS subclass, c.state, d.fault,
           ${printedIdSql('d.order_id')} AS "orderId", o.partner_order_id AS "partnerOrderId", d.payment_id AS "paymentId", ${TITLE} AS "eventTitle",
           c.occurred_at AS "occurredAt", d.found_at AS "foundAt", o.created_at AS "createdAt", o.window_ends_at AS "windowEndsAt",
           coalesce(o.payment_paid_at_raw, a.raw) AS "paidAtRaw", ${displayable('coalesce(o.payment_paid_at, a.paid_at)')} AS "paidAt",
           d.deviation_ms / 1000 AS deviation, coalesce(a.attempts, 0) AS attempts, coalesce(a.payments, 0) AS payments,
           ${within15Digits('a.claimed')}::bigint AS claimed, o.total_tenge::bigint AS total,
           money.buyer + money.platform + money.partner AS exposure, money.buyer AS "buyerExposure",
           money.platform AS "platformExposure", money.partner AS "partnerExposure",
           ${ofBalance('chargedTenge')} AS "caseCharged", ${ofBalance('returnedTenge')} AS "caseReturned",
           ${ofBalance('boughtTenge')} AS "caseBought",
           array_to_string(array_remove(c.order_ids, d.order_id), ' ') AS "linkedOrders", c.due_on::text AS "dueOn", c.resolution,
           ${roleOf(`CASE WHEN ${ENDED} THEN c.state_by END`)} AS "stateBy", CASE WHEN ${ENDED} THEN c.state_at END AS "stateAt", d.hint,
           d.probable_tenge AS probable, o.id IS NOT NULL AND d.order_id = ANY (c.order_ids) AS "isListed",
           CASE WHEN o.confirmed_at IS NULL THEN resold.seats END AS "seatsResold"
      FROM scope CROSS JOIN scope_defects d
      JOIN settlement_cases c ON c.id = d.case_id
      LEFT JOIN ${oneOrder('d.order_id')} ON o.partner_id = c.partner_id
      CROSS JOIN LATERAL (SELECT ${openMoney('buyer')}, ${openMoney('platform')}, ${openMoney('partner')}) money
      LEFT JOIN events e ON e.id = o.event_id
      LEFT JOIN LATERAL (
        SELECT count(*) FILTER (WHERE ticket.order_id <> ALL (c.order_ids)
                  OR (ticket.id IS NULL AND seat.state = 'sold' AND seat.held_by <> o.booking_id))::integer AS seats
          FROM booking_seats b JOIN event_seats seat ON seat.id = b.event_seat_id
          LEFT JOIN tickets ticket ON ticket.event_seat_id = seat.id AND ticket.status IN ('active', 'used')
         WHERE b.booking_id = o.booking_id AND o.confirmed_at IS NULL) resold ON true,
      LATERAL (SELECT sum(attempts)::integer AS attempts, count(payment)::integer AS payments,
                      sum(tenge) FILTER (WHERE payment IS NOT NULL) AS claimed, (array_agg(raw ORDER BY first))[1] AS raw,
                      (array_agg(paid_at ORDER BY first))[1] AS paid_at
                 FROM (SELECT external_payment_id AS payment, count(*) AS attempts, max(amount_tenge) FILTER (WHERE NOT ${isInOtherCurrencySql('currency')}) AS tenge, min(id) AS first,
                              (array_agg(paid_at_raw ORDER BY id))[1] AS raw, (array_agg(paid_at ORDER BY id))[1] AS paid_at
                         FROM ${attemptsOn('d.order_id')} WHERE partner_id = c.partner_id
                        GROUP BY external_payment_id) each_payment) a`,
  withTexts: (row) => ({ ...row, rowCode: rowCodeOf(row) }),
}
