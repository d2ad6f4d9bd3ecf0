import en from '#resources/lang/en/exports.json' with { type: 'json' }
import kk from '#resources/lang/kk/exports.json' with { type: 'json' }
import ru from '#resources/lang/ru/exports.json' with { type: 'json' }
import { localMoment } from '#shared/days'
import { LANGUAGES, type Language } from '#shared/languages'
import { lateCase } from '#tests/support/cases'
import { fileOf, lineOf, matchedRegister, saleOfOrders } from '#tests/support/registers'
import { one, ownerRows } from '#tests/support/rows'
import { StaffClient } from '#tests/support/staff_client'
import { test } from '@japa/runner'
import { parse } from 'csv-parse/sync'

const TEXTS = { ru, kk, en }
type Line = Record<string, string>

/** The file as a program reads it: the first line names the columns, the second one is for people. */
async function exported(path: string, language: Language) {
  const staff = await StaffClient.signedIn('finance')
  await ownerRows('UPDATE staff SET language = ?', language)
  const answer = await staff.get(`/back-office/${path}`)
  const text = await answer.text()
  const [headings, ...lines] = parse<Line>(text, { bom: true, delimiter: ';', columns: true })
  return { headings, lines }
}

test.group('CSV files of finance', (group) => {
  group.each.teardown(async () => {
    await ownerRows(`UPDATE staff SET language = 'ru'`)
  })

  test('cases have stable names, headings in the person’s language, and local time with its offset', async ({
    assert,
  }) => {
    const { partner, caseId } = await lateCase()
    const { at } = await one('SELECT occurred_at AS at FROM settlement_cases WHERE id = ?', caseId)
    for (const language of LANGUAGES) {
      const { headings, lines } = await exported(`cases.csv?partner=${partner.code}`, language)
      assert.deepEqual(headings, TEXTS[language].cases)
      assert.lengthOf(lines, 1)
      assert.equal(lines[0].case_id, String(caseId))
      assert.equal(lines[0].occurred_at, localMoment(at as Date))
      assert.match(lines[0].occurred_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+05:00$/)
    }
  })

  test('the accounts end with a line of totals, named in the person’s language and of no partner', async ({
    assert,
  }) => {
    const { partner } = await lateCase()
    for (const language of LANGUAGES) {
      const { lines } = await exported(`settlement.csv?q=${partner.code}`, language)
      assert.deepEqual(
        lines.map(({ partner: code, open_buyer_tenge: buyer }) => [code, buyer]),
        [
          [partner.code, '12000'],
          ['', '12000'],
        ]
      )
      assert.equal(lines[1].name, TEXTS[language].total)
    }
  })

  test('matches of a register have both lines too', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(1)
    const registerId = await matchedRegister(partner, fileOf(await lineOf(orders[0])))
    for (const language of LANGUAGES) {
      const { headings, lines } = await exported(`registers/${registerId}.csv`, language)
      assert.deepEqual(headings, TEXTS[language].register_matches)
      assert.deepEqual(
        lines.map(({ order_id: id }) => id),
        orders
      )
    }
  })
})
