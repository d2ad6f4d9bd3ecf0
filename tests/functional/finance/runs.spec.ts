import { aSale, sell } from '#tests/support/fixtures'
import { aStaffMember } from '#tests/support/browser'
import { aClosableMonth, issueFor } from '#tests/support/mails'
import { signedIn } from '#tests/support/page_client'
import { one, ownerRows } from '#tests/support/rows'
import { askFor, performRun, runRow } from '#tests/support/runs'
import { StaffClient } from '#tests/support/staff_client'
import { runDirectory } from '#runs/run_files'
import { test } from '@japa/runner'
import { signedUrlFor } from '@adonisjs/core/services/url_builder'
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'

const RANGE = { from: '2026-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' }

async function aBook() {
  const { partner, client, event } = await aSale()
  await sell(client, event.id, ['seat-2-1'])
  const params = { partnerCode: partner.code, hasTwins: false, ...RANGE }
  const { runId } = await askFor(partner, 'workbook', params)
  await performRun(runId)
  const file = await one('SELECT name, sha256 FROM settlement_run_files WHERE run_id = ?', runId)
  const { name, sha256 } = file as { name: string; sha256: string }
  const link = (expiresIn: string | number = '15 minutes', purpose = 'run-file') =>
    signedUrlFor('back_office.run.file', { id: runId, name }, { expiresIn, purpose })
  return { partner, runId, name, sha256, link }
}

test.group('Files of runs', () => {
  test('a reader of settlement downloads files by their link, and the journal records it', async ({
    assert,
  }) => {
    const { partner, name, sha256, link } = await aBook()
    const finance = await StaffClient.signedIn('finance')
    const response = await finance.get(link())
    assert.equal(response.status, 200)
    assert.include(response.headers.get('Content-Disposition')!, `filename="${name}"`)
    assert.equal(response.headers.get('Cache-Control'), 'no-store')
    const bytes = Buffer.from(await response.arrayBuffer())
    assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256)
    const { change, actor } = await one(
      `SELECT change, actor FROM journal WHERE name = 'run_file_downloaded' AND partner_id = ?`,
      partner.id
    )
    assert.containsSubset(change, { file: name, sha256 })
    assert.match(actor as string, /@/)
  })

  test('an expired, altered or foreign link leads to the page with new links', async ({
    assert,
  }) => {
    const { partner, runId, link } = await aBook()
    const finance = await StaffClient.signedIn('finance')
    const good = link()
    for (const bad of [link(-1), link('15 minutes', 'other'), good.split('?')[0], `${good}x`]) {
      const response = await finance.get(bad)
      assert.equal(response.status, 302, bad)
      assert.match(response.headers.get('Location')!, new RegExp(`/back-office/runs/${runId}$`))
    }
    const { n } = await one(
      `SELECT count(*)::int AS n FROM journal WHERE name = 'run_file_downloaded' AND partner_id = ?`,
      partner.id
    )
    assert.equal(n, 0)
  })

  test('a link does not work without the permission or without a session', async ({ assert }) => {
    const { link } = await aBook()
    const support = await StaffClient.signedIn('support')
    const refused = await support.get(link())
    assert.equal(refused.status, 403)
    const nobody = await new StaffClient().get(link())
    assert.equal(nobody.status, 302)
    assert.match(nobody.headers.get('Location')!, /sign-in/)
  })

  test('a run shows the number of its statement', async ({ assert }) => {
    const { partner } = await aClosableMonth()
    const { statementId } = await issueFor(partner)
    const params = { partnerCode: partner.code, hasTwins: false, statementId }
    const { runId } = await askFor(partner, 'workbook', params)
    const client = await signedIn(await aStaffMember('finance'))
    const { props: list } = await client.get(`/runs?partner=${partner.code}`)
    const { props: page } = await client.get(`/runs/${runId}`)
    assert.match(page.run.statement, /^SET-\d{6}$/)
    assert.equal(list.runs.rows[0].statement, page.run.statement)
  })

  test('an auditor cancels only runs of their own', async ({ assert }) => {
    const { partner } = await aClosableMonth()
    const auditor = await signedIn(await aStaffMember('auditor'))
    const params = { partnerCode: partner.code, hasTwins: false, ...RANGE }
    const { runId: ofOther } = await askFor(partner, 'workbook', params)
    const { location } = await auditor.post(`/settlement/${partner.code}/workbooks`, {
      from: '2026-01-01',
      to: '2026-01-31',
      language: 'en',
      hasTwins: false,
    })
    const ofTheirs = Number(location!.split('/').at(-1))

    const { props: other } = await auditor.get(`/runs/${ofOther}`)
    const { props: own } = await auditor.get(`/runs/${ofTheirs}`)
    await auditor.post(`/runs/${ofOther}/cancellation`)
    await auditor.post(`/runs/${ofTheirs}/cancellation`)

    assert.deepEqual([other.mayCancel, own.mayCancel], [false, true])
    const [{ state: ofOtherNow }, { state: ofTheirsNow }] = [
      await runRow(ofOther),
      await runRow(ofTheirs),
    ]
    assert.deepEqual([ofOtherNow, ofTheirsNow], ['queued', 'cancelled'])
  })

  test('deleted and missing files have an answer of their own', async ({ assert }) => {
    const { runId, link } = await aBook()
    const finance = await StaffClient.signedIn('finance')
    const other = (name: string) =>
      signedUrlFor(
        'back_office.run.file',
        { id: runId, name },
        { expiresIn: '1 minute', purpose: 'run-file' }
      )
    for (const name of ['other.xlsx', '..%2F..%2F.env', '../.env']) {
      const response = await finance.get(other(name))
      assert.equal(response.status, 404, name)
    }
    const { claim } = await runRow(runId)
    await rm(await runDirectory(runId, claim!), { recursive: true })
    const gone = await finance.get(link())
    assert.equal(gone.status, 404)
    await ownerRows(`UPDATE settlement_runs SET state = 'expired' WHERE id = ?`, runId)
    const expired = await finance.get(link())
    assert.equal(expired.status, 404)
  })
})
