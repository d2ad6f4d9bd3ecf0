import { aPartner } from '#tests/support/fixtures'
import { migrate, undoMigrationsFrom } from '#tests/support/migrations'
import { ownerOne, ownerRows } from '#tests/support/rows'
import { test } from '@japa/runner'
import { randomBytes } from 'node:crypto'

const sha256 = () => randomBytes(32).toString('hex')

/** By its statements: processes of 0.2.0 go on writing while an upgrade replaces them. */
test.group('Written by 0.2.0 during an upgrade: webhook endpoints', () => {
  const anEndpoint = async () => {
    const partner = await aPartner()
    return ownerOne(
      `INSERT INTO webhook_endpoints (partner_id, url, told_failing_at) VALUES (?, 'https://example.kz', now())
       RETURNING id, told_failing_at AS former, failure_notified_at AS present`,
      partner.id
    )
  }
  const change = async (id: number, set: string) =>
    ownerOne(
      `UPDATE webhook_endpoints SET ${set} WHERE id = ?
       RETURNING told_failing_at AS former, failure_notified_at AS present`,
      id
    )

  test('both names of the notice have one value, whichever is written', async ({ assert }) => {
    const { id, former, present } = await anEndpoint()
    assert.isNotNull(former)
    assert.deepEqual(present, former)
    const none = { former: null, present: null }
    assert.deepEqual(await change(id, 'told_failing_at = NULL'), none)
    const notified = await change(id, 'failure_notified_at = now()')
    assert.isNotNull(notified.former)
    assert.deepEqual(notified.former, notified.present)
    assert.deepEqual(await change(id, 'failure_notified_at = NULL'), none)
    const again = await change(id, 'told_failing_at = now()')
    assert.isNotNull(again.present)
    assert.deepEqual(again.former, again.present)
  })
})

test.group('Written by 0.2.0 during an upgrade: runs', () => {
  const LIVE = `state IN ('queued', 'running') AND cancel_asked_at IS NULL`
  // No worker takes these: they are not due.
  const ask = (column: string, hash: string, onConflict: string) =>
    ownerRows(
      `INSERT INTO settlement_runs (kind, params, language, ${column}, asked_by, asked_by_kind, not_before)
       VALUES ('check_period', '{}', 'en', ?, 'test', 'console', now() + interval '1 year') ${onConflict}
       RETURNING id, question_sha256, request_sha256, is_settled, saw_earlier_writes`,
      hash
    )
  const askAsFormer = (hash: string) =>
    ask('question_sha256', hash, `ON CONFLICT (question_sha256) WHERE ${LIVE} DO NOTHING`)
  const askAsPresent = (hash: string) => ask('request_sha256', hash, 'ON CONFLICT DO NOTHING')

  test('a live run of a request is the only one, whichever release asks first', async ({
    assert,
  }) => {
    for (const [first, second] of [
      [askAsFormer, askAsPresent],
      [askAsPresent, askAsFormer],
    ]) {
      const hash = sha256()
      const [run] = await first(hash)
      assert.include(run, { question_sha256: hash, request_sha256: hash })
      assert.include(run, { is_settled: false, saw_earlier_writes: false })
      assert.deepEqual(await second(hash), [])
      assert.deepEqual(await first(hash), [])
      await ownerRows(`UPDATE settlement_runs SET cancel_asked_at = now() WHERE id = ?`, run.id)
      assert.lengthOf(await second(hash), 1)
    }
  })

  test('whether it saw earlier writes is known to both', async ({ assert }) => {
    for (const column of ['is_settled', 'saw_earlier_writes']) {
      const [run] = await askAsPresent(sha256())
      for (const value of [true, false]) {
        const found = await ownerOne(
          `UPDATE settlement_runs SET ${column} = ? WHERE id = ? RETURNING is_settled, saw_earlier_writes`,
          value,
          run.id
        )
        assert.deepEqual(found, { is_settled: value, saw_earlier_writes: value })
      }
    }
  })
})

test.group('Written by 0.2.0 during an upgrade: registers', () => {
  const upload = (partner: { id: number }, headers: string[]) =>
    ownerOne(
      `INSERT INTO partner_registers
         (partner_id, period_from, period_to, file_name, bytes, sha256, format, encoding, sheets, sheet, preview, uploaded_by)
       VALUES (?, '2026-10-01', '2026-11-01', 'october.csv', 1, ?, 'csv', 'utf-8', '{}', NULL, ?, 'test')
       RETURNING source_id`,
      partner.id,
      sha256(),
      JSON.stringify({ headers })
    )

  test('one that names no source gets that of the same headers, or a new one', async ({
    assert,
  }) => {
    const [partner, other] = [await aPartner(), await aPartner()]
    const first = await upload(partner, ['Order', 'Amount'])
    const again = await upload(partner, ['amount ', 'order'])
    const different = await upload(partner, ['Payment', 'Amount'])
    const ofOther = await upload(other, ['Order', 'Amount'])
    const unnamed = [await upload(partner, []), await upload(partner, [' '])]
    assert.isNumber(first.source_id)
    assert.equal(again.source_id, first.source_id)
    const sources = [first, different, ofOther, ...unnamed].map(({ source_id }) => source_id)
    assert.equal(new Set(sources).size, sources.length)
  })
})

test.group('Written by 0.2.0 before an upgrade', () => {
  test('the present names have the values of the former ones', async ({ assert }) => {
    const partner = await aPartner()
    const hash = sha256()
    await undoMigrationsFrom(18)
    try {
      await ownerRows(
        `INSERT INTO webhook_endpoints (partner_id, url, told_failing_at) VALUES (?, 'https://example.kz', '2026-11-01Z')`,
        partner.id
      )
      await ownerRows(
        `INSERT INTO settlement_runs (kind, params, language, question_sha256, is_settled, asked_by, asked_by_kind, not_before)
         VALUES ('check_period', '{}', 'en', ?, true, 'test', 'console', now() + interval '1 year')`,
        hash
      )
    } finally {
      await migrate()
    }
    const endpoint = await ownerOne(
      'SELECT failure_notified_at AS at FROM webhook_endpoints WHERE partner_id = ?',
      partner.id
    )
    assert.deepEqual(endpoint.at, new Date('2026-11-01Z'))
    const run = await ownerOne(
      'SELECT saw_earlier_writes FROM settlement_runs WHERE request_sha256 = ?',
      hash
    )
    assert.isTrue(run.saw_earlier_writes)
  }).timeout(120_000)
})
