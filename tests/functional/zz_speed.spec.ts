import { aPartner, anEvent, grant } from '#tests/support/fixtures'
import { context, map, upload, midnight } from '#tests/support/registers'
import { listMatches } from '#back_office/registers/list_matches'
import { findRegister } from '#settlement/registers/queries/find_register'
import readRegister from '#settlement/runs/kinds/read_register'
import matchRegister from '#settlement/runs/kinds/match_register'
import ConfirmRegister from '#settlement/actions/confirm_register'
import RefreshDefects from '#settlement/actions/refresh_defects'
import { TESTER } from '#tests/support/fixtures'
import { rows, one } from '#tests/support/rows'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'

test('speed', async () => {
  const N = 200_000
  const partner = await aPartner(); const event = await anEvent(); await grant(partner, event)
  await db.transaction(async (trx) => {
    await trx.rawQuery("SET LOCAL statement_timeout = 0")
    await trx.rawQuery("SET LOCAL session_replication_role = replica")
    await trx.rawQuery(`INSERT INTO orders (id, partner_id, partner_order_id, booking_id, event_id, stored_status, customer, total_tenge, created_at, window_ends_at, confirmed_at, payment_amount_tenge, payment_paid_at_raw, payment_paid_at, payment_external_id, payment_currency)
      SELECT 'TIX-2026-' || (1000000 + n), ${partner.id}, 'o-' || left(md5(n::text), 14), 'bkg_' || lpad(n::text, 26, '0'), '${event.id}', CASE WHEN n % 50 = 0 THEN 'expired' ELSE 'paid' END,
        jsonb_build_object('email', 'b' || n || '@example.kz'), 12000, at, at + interval '15 minutes', CASE WHEN n % 50 = 0 THEN NULL ELSE at + interval '2 minutes' END, CASE WHEN n % 50 = 0 THEN NULL ELSE 12000 END,
        at::text, at + interval '1 minute', CASE WHEN n % 50 = 0 THEN NULL ELSE 'p-' || left(md5((n * 7)::text), 14) END, 'KZT'
        FROM (SELECT n, '2026-10-01 00:00:00+05'::timestamptz + n * interval '13 seconds' AS at FROM generate_series(1, ${N}) n) x`)
    await trx.rawQuery(`INSERT INTO ledger_movements (partner_id, kind, amount_tenge, tickets, source, event_id, order_id, effective_at)
      SELECT partner_id, 'sale', total_tenge, 1, id, event_id, id, confirmed_at FROM orders WHERE partner_id = ${partner.id} AND confirmed_at IS NOT NULL`)
    await trx.rawQuery('ANALYZE orders'); await trx.rawQuery('ANALYZE ledger_movements')
  })
  const known = await rows(`SELECT partner_order_id AS key, coalesce(payment_external_id, 'pay-late-' || id) AS payment, to_char(payment_paid_at AT TIME ZONE interval '5 hours', 'DD.MM.YYYY HH24:MI:SS') AS at FROM orders WHERE partner_id = ? ORDER BY id LIMIT 199800`, partner.id)
  const lines = known.map(({ key, payment, at }, i) => `${i % 97 === 0 ? key.toUpperCase() : key};${i % 97 === 0 ? '' : payment};${at};${i % 100 === 0 ? 12500 : 12000};sale`)
  for (let i = 0; i < 100; i++) lines.push(`q-${i};pq-${i};05.10.2026 10:00:00;5000;sale`)
  const file = ['Номер заказа;ID платежа;Дата оплаты;Сумма;Тип операции', ...lines].join('\r\n')
  console.log('file MB', (Buffer.byteLength(file) / 1e6).toFixed(1))
  known.length = 0
  let peak = 0
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 50)
  const took = async (name: string, work: () => Promise<unknown>) => {
    peak = process.memoryUsage().rss
    const t = performance.now(); await work(); console.log(name, ((performance.now() - t) / 1000).toFixed(2), 's, peak RSS', (peak / 1e6).toFixed(0), 'MB')
  }
  let registerId = 0
  await took('upload', async () => { registerId = (await upload(partner, file, { from: new Date('2026-10-01T00:00:00+05:00'), to: new Date('2026-11-01T00:00:00+05:00') })).registerId })
  await map(registerId)
  const phases: Record<string, number> = {}
  let last = performance.now(), phase = ''
  const progress = (at: { phase: string }) => { const now = performance.now(); if (phase) phases[phase] = (phases[phase] ?? 0) + now - last; last = now; phase = at.phase }
  await took('read', () => readRegister({ registerId }, context({ progress })))
  await took('match', () => matchRegister({ registerId }, context({ progress })))
  console.log(phases)
  await took('match again', () => matchRegister({ registerId }, context()))
  const empty = { category: null, step: null, decision: null, party: null, owner: null, q: null, before: null }
  for (const more of [{}, { category: 'AMOUNT_DIFF' }, { category: 'MISSING_AT_PARTNER' }, { decision: 'undecided' }, { party: 'BUYER' }, { step: 'BY_PAYMENT' }, { q: 'q-17' }, { q: 'TIX-2026-1150001' }, { before: '190000' }, { owner: 'none' }, {decision: 'rejected'}])
    await took('list ' + JSON.stringify(more), async () => { const r = await listMatches(registerId, { ...empty, ...more }, 'x'); console.log(r.rows.length) })
  const r = await findRegister(registerId)
  console.log(Object.entries(r.totals!).filter(([, v]) => v.cases).map(([k, v]) => `${k} ${v.cases} ${v.rows}`))
  await rows(`UPDATE partner_register_cases SET decision = 'accepted', decided_by = 'x', decided_at = now() WHERE register_id = ? AND is_suggested`, registerId)
  await took('confirm', () => new ConfirmRegister().handle({ registerId, version: r.version, keepsFeeRules: false, actor: TESTER, language: 'ru' }))
  await took('refresh', () => new RefreshDefects().handle({ partnerId: partner.id, from: r.from, to: r.to }))
  clearInterval(timer)
  void one; void midnight
}).timeout(600000)
