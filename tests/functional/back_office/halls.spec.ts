import { MAX_LIST_BYTES } from '#catalog/seat_list'
import { aStaffMember } from '#tests/support/browser'
import { smallHall } from '#tests/support/fixtures'
import { signedIn } from '#tests/support/page_client'
import { one, ownerRows, rows } from '#tests/support/rows'
import { newId } from '#shared/public_id'
import { test } from '@japa/runner'
import { randomBytes } from 'node:crypto'

type Files = Record<'planSvg' | 'seatsCsv', string | Buffer<ArrayBuffer>>

async function aVenue() {
  const id = newId('ven')
  await ownerRows(`INSERT INTO venues (id, name) VALUES (?, '{"ru": "Площадка"}')`, id)
  return id
}

function formOf({ planSvg, seatsCsv }: Files, fields: Record<string, string> = {}) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('plan', new Blob([planSvg]), 'plan.svg')
  form.append('seats', new Blob([seatsCsv]), 'seats.csv')
  return form
}

const operations = async () => signedIn(await aStaffMember('operations'))
const countHalls = async () => {
  const { n } = await one('SELECT count(*)::int AS n FROM halls')
  return n as number
}

async function previewOf(files: Files) {
  const client = await operations()
  const { location } = await client.post('/halls/check', formOf(files))
  const { props } = await client.get(location!.replace('/back-office', ''))
  return props.preview
}

/** More than is read in one batch during sales. */
function bigHall(seats: number) {
  const ids = Array.from({ length: seats }, (_, i) => `seat-${Math.floor(i / 100)}-${i % 100}`)
  const head =
    'space_id,sector_id,sector_ru,sector_kk,sector_en,row_id,row_label,seat_label,category_code'
  const line = (id: string, i: number) =>
    `${id},sector-a,Партер,,,row-${Math.floor(i / 100)},${Math.floor(i / 100)},${i % 100},standard`
  const title = randomBytes(4).toString('hex')
  const circles = ids.map((id) => `<circle id="${id}" cx="1" cy="2" r="4" onclick="alert(1)"/>`)
  return {
    planSvg: `<svg xmlns="http://www.w3.org/2000/svg"><title>${title}</title>${circles.join('')}</svg>`,
    seatsCsv: [head, ...ids.map(line)].join('\n'),
  }
}

test.group('Uploading halls', () => {
  test('the content of the files is shown before anything is stored', async ({ assert }) => {
    const before = await countHalls()
    const preview = await previewOf(smallHall())
    assert.deepEqual(preview, {
      planProblem: null,
      twin: null,
      problems: [],
      undrawn: { count: 0, ids: [] },
      counts: {
        sectors: 2,
        rows: 6,
        seats: 60,
        categories: [
          { code: 'vip', seats: 10 },
          { code: 'standard', seats: 20 },
          { code: 'fan', seats: 10 },
          { code: 'invitation', seats: 10 },
          { code: 'service', seats: 10 },
        ],
      },
    })
    assert.equal(await countHalls(), before)
  })

  test('a mistake in many lines is reported once, with its lines', async ({ assert }) => {
    const { planSvg, seatsCsv } = smallHall()
    const lines = seatsCsv.split('\n')
    for (let i = 1; i <= 30; i++) lines[i] = lines[i].replace(/[a-z]+$/, 'balcony')
    lines[40] = lines[40].replace(/^seat-\d+-\d+/, 'seat-9-9')
    const seats = ['', ...lines].join('\n')
    const preview = await previewOf({ planSvg: '<!DOCTYPE svg><svg/>', seatsCsv: seats })
    assert.equal(preview.planProblem, 'doctype')
    assert.lengthOf(preview.problems, 1)
    const [{ column, rule, count, lines: reportedLines }] = preview.problems
    assert.deepEqual([column, rule, count], ['category_code', 'enum', 30])
    assert.deepEqual(reportedLines.slice(0, 3), [3, 4, 5])
    const drawn = await previewOf({ planSvg, seatsCsv: seats })
    assert.deepEqual(drawn.undrawn, { count: 1, ids: ['seat-9-9'] })
  })

  test('a list with semicolons is read, and one with other columns is refused', async ({
    assert,
  }) => {
    const { planSvg, seatsCsv } = smallHall()
    const semicolons = await previewOf({ planSvg, seatsCsv: seatsCsv.replaceAll(',', ';') })
    assert.deepEqual([semicolons.problems, semicolons.counts.seats], [[], 60])
    const other = await previewOf({ planSvg, seatsCsv: 'space_id,row\nseat-1,1' })
    assert.equal(other.problems[0].rule, 'columns')
    assert.include(other.problems[0].column, 'sector_id')
    const broken = await previewOf({ planSvg, seatsCsv: `${seatsCsv}\nseat-7-1,sector-a` })
    assert.containsSubset(broken.problems, [{ rule: 'csv', lines: [62] }])
  })

  test('a hall is loaded once with its names, and the journal records by whom', async ({
    assert,
  }) => {
    const venueId = await aVenue()
    const person = await aStaffMember('operations')
    const client = await signedIn(person)
    const hall = bigHall(5_000)
    const names = { 'name[ru]': ' Зал ', 'name[kk]': 'Залы', 'name[en]': '' }
    const form = () => formOf(hall, { venueId, ...names })
    const { location } = await client.post('/halls', form())
    assert.equal(location, '/back-office/halls')
    const stored = await rows('SELECT id, name, plan_svg FROM halls WHERE venue_id = ?', venueId)
    assert.deepEqual(
      stored.map(({ name }) => name),
      [{ ru: 'Зал', kk: 'Залы' }]
    )
    assert.notInclude(stored[0].plan_svg, 'onclick')
    const entry = await one(
      `SELECT actor_kind, actor, change FROM journal WHERE name = 'hall_imported' ORDER BY id DESC LIMIT 1`
    )
    const change = { hall_id: stored[0].id, seats: 5_000 }
    assert.deepEqual(entry, { actor_kind: 'staff', actor: person.email, change })

    await client.get('/halls/new')
    assert.deepEqual(await client.errorsAfter(client.post('/halls', form())), {
      form: 'refused.ALREADY_EXISTS',
    })
    const { props } = await client.get('/halls')
    assert.containsSubset(props.halls[0], { id: stored[0].id, seats: 5_000, sectors: 1, events: 0 })
  })

  test('files that are too large, not text or missing are refused at their field', async ({
    assert,
  }) => {
    const client = await operations()
    const { planSvg, seatsCsv } = smallHall()
    const before = await countHalls()
    const refused = async (form: FormData) => {
      await client.get('/halls/new')
      return client.errorsAfter(client.post('/halls', form))
    }
    const large = Buffer.alloc(MAX_LIST_BYTES + 1, 'x')
    assert.deepEqual(await refused(formOf({ planSvg, seatsCsv: large })), {
      seats: 'uploads.too_large',
    })
    const cyrillic = Buffer.from([0xcf, 0xe0, 0xf0, 0xf2, 0xe5, 0xf0])
    assert.deepEqual(await refused(formOf({ planSvg, seatsCsv: cyrillic })), {
      seats: 'uploads.not_utf8',
    })
    assert.deepEqual(await refused(new FormData()), { plan: 'uploads.choose_file' })
    const nameless = await refused(formOf({ planSvg, seatsCsv }, { venueId: 'ven_none' }))
    assert.deepEqual(Object.keys(nameless), ['name'])
    assert.equal(await countHalls(), before)
  })

  test('other forms accept no files', async ({ assert }) => {
    const client = await operations()
    await client.get('/partners')
    const form = formOf(smallHall(), { code: 'by-upload', name: 'Upload' })
    const errors = await client.errorsAfter(client.post('/partners', form))
    assert.property(errors, 'code')
  })
})
