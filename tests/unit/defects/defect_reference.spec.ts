import { DEFECT_CODES, type DefectCode, type DefectKind } from '#defects/rules/defect_codes'
import type { AttemptFacts, CaseFacts, VoidFacts } from '#defects/facts/facts'
import type { DefectReference } from '#finance/cases/cases_props'
import { LANGUAGES } from '#shared/languages'
import { WORDS } from '#workbooks/words/words'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { readFile } from 'node:fs/promises'
import { DEFECT_REFERENCE, renderDefectReference } from '../../../dev/defect_reference.ts'
import {
  attempt,
  expiredConfirm,
  constantId,
  exposure,
  HOUR,
  judge,
  MINUTE,
  NOON,
  paid,
  returned,
  row,
  SECOND,
  story,
  unpaid,
  withRegister,
} from './stories.js'

const CODES = Object.keys(DEFECT_CODES) as DefectCode[]
const DAY = 24 * HOUR
const WINDOW = 5 * MINUTE
const SECOND_ID = 'TIX-2026-000002'

/** A confirm of the example, at the time after 19:40:00 that its step says. */
const at = (receivedMs: number, more: Partial<AttemptFacts> = {}) =>
  attempt({ receivedAt: NOON + receivedMs, ...more })
const rejected = (receivedMs: number, code: string, httpStatus = 409, more = {}) =>
  at(receivedMs, { code, httpStatus, ...more })
const chargedAt = (paidMs: number, receivedMs: number) =>
  paid({}, { paidAt: NOON + paidMs, receivedAt: NOON + receivedMs })
const unpaidWith = (...attempts: AttemptFacts[]) => story([unpaid({ attempts })])
const later = (facts: CaseFacts, days: number) => ({ ...facts, asOf: NOON + days * DAY })

const lost = (voidedMs: number, more: Partial<VoidFacts> = {}): VoidFacts => ({
  ticketId: 'tkt_1',
  priceTenge: 12_000n,
  cause: 'refund',
  voidedAt: NOON + voidedMs,
  usedAt: null,
  saleClosedAt: null,
  ...more,
})
const late = () => unpaid({ attempts: [expiredConfirm()] })
const twice = (allowsCombinedPayments = false) =>
  story(
    [paid(), paid({ id: SECOND_ID }, { orderIdSent: SECOND_ID, receivedAt: NOON + 20 * SECOND })],
    { allowsCombinedPayments }
  )
const wrongAmount = () => rejected(10 * SECOND, 'INVALID_PARAMETERS', 422, { amountTenge: 24_500n })
const reused = () => {
  const createdAt = NOON + 400 * SECOND
  const confirm = { orderIdSent: SECOND_ID, receivedAt: createdAt + SECOND, paidAt: NOON + 200_000 }
  return story([late(), paid({ id: SECOND_ID, createdAt }, confirm)])
}
const repeated = (more: Partial<AttemptFacts>) => {
  const order = paid()
  return story([{ ...order, attempts: [...order.attempts, at(30 * SECOND, more)] }])
}

/** The worked example of each code as facts, then facts of its other severities. */
const EXAMPLES: Record<DefectCode, CaseFacts[]> = {
  PAID_BEFORE_CREATED: [
    story([chargedAt(-10 * MINUTE, 10 * SECOND)]),
    story([chargedAt(-2 * HOUR, 10 * SECOND)]),
    story([chargedAt(-900, 10 * SECOND)]),
  ],
  PAID_IN_FUTURE: [story([chargedAt(2 * MINUTE, 10 * SECOND)])],
  PAID_AFTER_WINDOW: [story([chargedAt(6 * MINUTE, 290 * SECOND)])],
  PAID_AT_OFFSET_SUSPECT: [story([paid({}, { paidAtRaw: '2026-09-18T20:40:05+06:00' })])],
  SLOW_CONFIRM: [story([chargedAt(5 * SECOND, 161 * SECOND)])],
  PAID_AFTER_WINDOW_END: [story([chargedAt(290 * SECOND, 301 * SECOND)])],

  CONFIRM_ORDER_EXPIRED: [story([late()])],
  CONFIRM_ORDER_CANCELLED: [
    story([unpaid({ status: 'cancelled', attempts: [rejected(90 * SECOND, 'ORDER_CANCELLED')] })]),
  ],
  CONFIRM_EVENT_CANCELLED: [
    story([
      unpaid({
        eventCancelledAt: NOON + MINUTE,
        attempts: [rejected(4 * MINUTE, 'EVENT_CANCELLED')],
      }),
    ]),
  ],
  CONFIRM_AMOUNT_MISMATCH: [
    unpaidWith(wrongAmount()),
    story([paid({ attempts: [wrongAmount(), at(20 * SECOND)] })]),
  ],
  CONFIRM_BAD_BODY: [
    unpaidWith(rejected(10 * SECOND, 'INVALID_PARAMETERS', 422, { paidAt: null })),
  ],
  CONFIRM_THROTTLED: [unpaidWith(rejected(270 * SECOND, 'SERVICE_BUSY', 503))],
  CONFIRM_UNKNOWN_ORDER: [
    story([], {}, [
      rejected(10 * SECOND, 'ORDER_NOT_FOUND', 404, { orderIdSent: 'TIX-2026-999999' }),
    ]),
  ],
  REVOKED_CONFIRM_REJECTED: [unpaidWith(rejected(10 * SECOND, 'ACCESS_DENIED', 403))],
  LATE_MONEY_NOT_RETURNED: [
    later(story([late()]), 4),
    story([unpaid({ status: 'cancelled', attempts: [rejected(6 * MINUTE, 'SERVICE_BUSY', 503)] })]),
  ],
  SEAT_RESOLD_AFTER_EXPIRY: [story([{ ...late(), resoldTo: ['TIX-2026-000009'] }])],
  PAYMENT_REUSED: [reused()],

  DUP_EXTERNAL_PAYMENT_ID: [
    twice(),
    story([
      paid(),
      paid(
        { id: SECOND_ID, eventId: 'evt_2', createdAt: NOON + 2 * HOUR },
        { orderIdSent: SECOND_ID, receivedAt: NOON + 2 * HOUR + SECOND }
      ),
    ]),
    twice(true),
  ],
  CONFIRM_REPLAY_DIVERGENT: [
    repeated({ paymentId: 'pay-2' }),
    repeated({ paidAt: NOON + 9 * SECOND }),
  ],
  MULTI_CHARGE_ONE_ORDER: [
    unpaidWith(
      expiredConfirm(),
      expiredConfirm({ paymentId: 'pay-2', receivedAt: NOON + WINDOW + MINUTE })
    ),
  ],
  EXTERNAL_ID_PLACEHOLDER: [
    story([paid({}, { paymentId: 'test' })]),
    { ...story([paid()]), constantIds: new Map([['pay-1', constantId()]]) },
  ],

  EVENT_CANCELLED_REFUND_DUE: [
    later(
      story([
        paid({
          voids: ['tkt_1', 'tkt_2'].map((ticketId) =>
            lost(2 * DAY, { ticketId, cause: 'event_cancelled' })
          ),
        }),
      ]),
      6
    ),
  ],
  USED_TICKET_OF_CANCELLED_EVENT: [
    story([
      paid({
        eventCancelledAt: NOON + HOUR,
        voids: [lost(HOUR, { cause: 'event_cancelled' })],
        keptTickets: ['tkt_2'],
      }),
    ]),
    story([
      paid({
        eventCancelledAt: NOON + HOUR,
        voids: [lost(HOUR, { cause: 'event_cancelled', usedAt: NOON + 30 * MINUTE })],
      }),
    ]),
  ],
  USED_AFTER_VOID: [story([paid({ voids: [lost(HOUR, { usedAt: NOON + 85 * MINUTE })] })])],
  REFUND_OF_USED: [story([paid({ voids: [lost(HOUR, { usedAt: NOON + 30 * MINUTE })] })])],
  REFUND_AFTER_CLOSE: [
    later(story([paid({ voids: [lost(17 * DAY, { saleClosedAt: NOON + 13 * DAY })] })]), 18),
  ],
  ZERO_TOTAL_PAID: [story([paid({ totalTenge: 0n }, { amountTenge: 0n })])],

  MISSING_AT_PLATFORM: [withRegister(story([unpaid()]), [row({ paymentId: 'pay-9' })])],
  MISSING_AT_PARTNER: [withRegister(story([paid()]), [], [paid().id])],
  VOID_WITHOUT_REFUND: [withRegister(story([paid({ voids: [lost(HOUR)] })]), [row()])],
  REFUND_WITHOUT_VOID: [withRegister(story([paid()]), [row(), returned({ tenge: 12_000n })])],
  REFUND_SUM_MISMATCH: [
    withRegister(story([paid({ voids: [lost(HOUR)] })]), [row(), returned({ tenge: 10_000n })]),
    withRegister(story([paid({ voids: [lost(HOUR)] })]), [row(), returned({ tenge: 14_000n })]),
    withRegister(story([late()]), [row(), returned({ tenge: 26_000n })]),
  ],
  REGISTER_AMOUNT_DIFFERS: [
    withRegister(story([paid()]), [row({ tenge: 25_000n })]),
    withRegister(story([paid()]), [row({ tenge: 23_000n })]),
  ],
}

/** How a Russian outcome says whose money is at risk. */
const WHOSE = {
  BUYER: /₸ покупателя/,
  PLATFORM: /₸ платформы/,
  PARTNER: /₸ партнёра/,
  NONE: /суммы под риском (пока )?нет/i,
}

const readJson = async (path: string) => JSON.parse(await readFile(app.makePath(path), 'utf8'))
const referenceIn = (language: string): Promise<Record<string, DefectReference>> =>
  readJson(`resources/lang/${language}/defect_reference.json`)

const kindOf = (code: DefectCode): DefectKind => DEFECT_CODES[code]
const textsOf = ({ example, ...texts }: DefectReference) => [
  ...Object.values(texts),
  ...example.flatMap((step) => [step.at, step.text]),
]
/** `24 000` as texts write it, with a space that does not break. */
const written = (tenge: bigint) => new Intl.NumberFormat('ru-RU').format(tenge)
/** All figures of a text: sums, times of day and numbers of orders; days are written in each language's own way. */
const figuresOf = ({ when, severity = '', example, outcome }: DefectReference) => {
  const texts = [when, severity, ...example.map(({ text }) => text), outcome]
  const times = example.map((step) => step.at).filter((moment) => moment.includes(':'))
  return [
    ...times,
    ...texts.flatMap((text) => text.match(/\d[\d\u00A0:.]*\d|\d/g) ?? []),
  ].toSorted()
}

test.group('Reference of defects', () => {
  test('{$self} has all texts of every code')
    .with([...LANGUAGES])
    .run(async ({ assert }, language) => {
      const reference = await referenceIn(language)
      const { severities: names } = await readJson(`resources/lang/${language}/cases.json`)
      assert.sameMembers(Object.keys(reference), CODES)
      for (const code of CODES) {
        const texts = reference[code]
        assert.isNotEmpty(texts.example, code)
        for (const text of textsOf(texts)) assert.match(text, /\S/, code)
        // The partner answers with a word of the workbook's list, or need not answer.
        const answers = Object.values(WORDS[language].answers)
        assert.isTrue(
          answers.some((answer) => texts.partner_answer.toLowerCase().includes(answer)),
          `${code}: ${texts.partner_answer}`
        )
        const severities = kindOf(code).severities.map((severity) => `${names[severity]}:`)
        assert.equal('severity' in texts, severities.length > 1, code)
        for (const name of severities)
          if (texts.severity) assert.include(texts.severity, name, code)
      }
    })

  test('the figures are the same in {$self} as in Russian')
    .with(['kk', 'en'])
    .run(async ({ assert }, language) => {
      const [texts, russian] = await Promise.all([referenceIn(language), referenceIn('ru')])
      for (const code of CODES)
        assert.deepEqual(figuresOf(texts[code]), figuresOf(russian[code]), code)
    })

  test('the rules find the worked example of {$self} as the reference says')
    .with(CODES)
    .run(async ({ assert }, code) => {
      const { severities, parties } = kindOf(code)
      const judged = EXAMPLES[code].map((facts) => judge(facts)!)
      const found = judged.map(({ findings }) => findings.find((one) => one.code === code)!)
      assert.sameMembers([...new Set(found.map(({ severity }) => severity))], [...severities])
      const named = found.map(({ exposureParty }) => exposureParty).filter((one) => one !== 'NONE')
      assert.sameMembers([...new Set(named)], [...parties])

      const [{ findings }] = judged
      const [exposureTenge, exposureParty] = exposure(EXAMPLES[code][0])
      const russian = await referenceIn('ru')
      const { outcome } = russian[code]
      assert.match(outcome, WHOSE[exposureParty as keyof typeof WHOSE], code)
      if (exposureTenge !== 0n)
        assert.include(outcome, `${written(exposureTenge as bigint)}\u00A0₸`)
      const others = [...outcome.matchAll(/[A-Z]+(?:_[A-Z]+)+/g)].map(([other]) => other)
      assert.includeMembers(
        findings.map((one) => one.code),
        others
      )
    })

  test('docs/settlement-defects.md is made of these texts (npm run docs)', async ({ assert }) => {
    const page = await readFile(app.makePath(DEFECT_REFERENCE), 'utf8')
    assert.equal(page, await renderDefectReference(page))
  })
})
