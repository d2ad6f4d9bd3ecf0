import ImportHall from '#catalog/actions/import_hall'
import { Refusal, type FieldProblem } from '#shared/refusals'
import { TESTER, aSale } from '#tests/support/fixtures'
import { testBaseUrl } from '#tests/support/partner_client'
import { rows } from '#tests/functional/races/support/sql'
import { test } from '@japa/runner'
import { createHash, randomUUID } from 'node:crypto'

const HEADER =
  'space_id,sector_id,sector_ru,sector_kk,sector_en,row_id,row_label,seat_label,category_code'
const LINE = 'seat-1-1,sector-a,Партер,,,row-1,1,1,standard'
const SEAT = '<circle id="seat-1-1" cx="1" cy="2" r="3"/>'
const svg = (inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9"><title>${randomUUID()}</title>${SEAT}${inside}</svg>`

const importHall = (planSvg: string, ...lines: string[]) =>
  new ImportHall().handle({
    venue: { name: { ru: 'Площадка' } },
    name: { ru: 'Зал' },
    planSvg,
    seatsCsv: [HEADER, ...(lines.length > 0 ? lines : [LINE])].join('\n'),
    actor: TESTER,
  })

/** The plan as anybody gets it after its import. */
async function served(planSvg: string) {
  const { hallId } = await importHall(planSvg)
  const [{ plan_digest: digest }] = await rows('SELECT plan_digest FROM halls WHERE id = $1', [
    hallId,
  ])
  const response = await fetch(`${testBaseUrl()}/plans/${digest}.svg`)
  return { digest, response, text: await response.text() }
}

async function problemsOf(work: Promise<unknown>): Promise<FieldProblem[]> {
  try {
    await work
  } catch (error) {
    if (error instanceof Refusal) return error.details.fields as FieldProblem[]
    throw error
  }
  throw new Error('It was imported')
}

test.group('Hall plans', () => {
  test('hall_plan_url of an event opens the plan, whose ids are the seats', async ({ assert }) => {
    const { client, event } = await aSale()
    const { data } = await client.get(`/events/${event.id}`)

    const response = await fetch(data.hall_plan_url)
    const text = await response.text()

    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-type')!, /^image\/svg\+xml/)
    const seats = await client.get(`/events/${event.id}/seats?sector=sector-a`)
    for (const { space_id: id } of seats.data) assert.include(text, `id="${id}"`)
  })

  test('a plan is named by its digest, cached for ever and runs no script', async ({ assert }) => {
    const { digest, response, text } = await served(svg(''))
    assert.equal(createHash('sha256').update(text).digest('hex'), digest)
    assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.match(response.headers.get('content-security-policy')!, /default-src 'none'.*sandbox/)
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    assert.isNull(response.headers.get('set-cookie'))
  })

  test('a plan is sent compressed, and 304 to a client that has it', async ({ assert }) => {
    const { digest, response, text } = await served(svg('<path d="M0 0h1v1z"/>'.repeat(200)))
    const url = `${testBaseUrl()}/plans/${digest}.svg`
    const etag = response.headers.get('etag')!
    for (const encoding of ['br', 'gzip']) {
      const compressed = await fetch(url, { headers: { 'Accept-Encoding': encoding } })
      assert.equal(compressed.headers.get('content-encoding'), encoding)
      assert.isBelow(Number(compressed.headers.get('content-length')), text.length / 4)
      assert.equal(await compressed.text(), text)
    }
    const plain = await fetch(url, { headers: { 'Accept-Encoding': 'identity' } })
    assert.isNull(plain.headers.get('content-encoding'))
    assert.equal(await plain.text(), text)

    const again = await fetch(url, { headers: { 'If-None-Match': etag } })
    assert.equal(again.status, 304)
    assert.equal(again.headers.get('access-control-allow-origin'), '*')
    assert.match(again.headers.get('vary')!, /Accept-Encoding/)
  })

  for (const name of ['0'.repeat(64), 'x', `${'0'.repeat(63)}G`, '%00', '..%2f..%2fpackage']) {
    test(`${name} is not found`, async ({ assert }) => {
      const response = await fetch(`${testBaseUrl()}/plans/${name}.svg`)
      assert.equal(response.status, 404)
    })
  }

  const hostile: [what: string, inside: string, forbidden: RegExp][] = [
    ['a script', '<script>alert(1)</script>', /script|alert/i],
    [
      'a script in another namespace',
      '<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>',
      /alert|xlink:script/i,
    ],
    [
      'a script of XHTML',
      '<script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>',
      /script|alert/i,
    ],
    [
      'an event handler',
      '<g onload="alert(1)" ONCLICK="alert(2)"><path d="M0 0"/></g>',
      /onload|onclick|alert/i,
    ],
    [
      'foreignObject',
      '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="https://evil.test"/></body></foreignObject>',
      /foreignObject|iframe|evil/i,
    ],
    [
      'a link to elsewhere',
      '<use href="https://evil.test/x.svg#a"/><use xlink:href="//evil.test"/>',
      /evil/,
    ],
    ['an anchor', '<a href="https://evil.test"><text>x</text></a>', /<a|evil/],
    ['an image', '<image href="https://evil.test/x.png"/>', /image|evil/],
    [
      'a javascript: URL',
      '<use href="javascript:alert(1)"/><path d="M0 0" fill="url(javascript:alert(1))"/>',
      /javascript/i,
    ],
    [
      'a url() to elsewhere',
      '<path d="M0 0" fill="url(https://evil.test/#a)" filter="url(//evil.test)"/>',
      /evil/,
    ],
    [
      'a style sheet',
      '<style>@import "https://evil.test";</style><path style="background:url(//evil.test)" d="M0 0"/>',
      /style|evil/,
    ],
    [
      'an animation',
      '<set attributeName="href" to="javascript:alert(1)"/><animate attributeName="x" values="a"/>',
      /<set|<animate|javascript/,
    ],
    [
      'a comment and an instruction',
      '<!-- secret --><?xml-stylesheet href="https://evil.test"?>',
      /secret|stylesheet|evil/,
    ],
    ['CDATA', '<text><![CDATA[<script>alert(1)</script>]]></text>', /<script/],
    ['a handler of an inner svg', '<svg onload="alert(1)"><circle r="1"/></svg>', /onload|alert/],
  ]
  for (const [what, inside, forbidden] of hostile) {
    test(`${what} is removed by the import; the seat is kept`, async ({ assert }) => {
      const { text } = await served(svg(inside))
      assert.notMatch(text, forbidden)
      assert.include(text, 'id="seat-1-1"')
    })
  }

  test('shapes, texts, gradients and links within the plan are kept', async ({ assert }) => {
    const { text } = await served(
      svg(
        '<defs><linearGradient id="g"><stop offset="0" stop-color="#fff"/></linearGradient></defs>' +
          '<g transform="translate(1 2)"><rect width="3" height="4" fill="url(#g)"/><use href="#seat-1-1"/><text x="1">Сцена</text></g>'
      )
    )
    for (const part of [
      '<linearGradient',
      'fill="url(#g)"',
      'href="#seat-1-1"',
      'Сцена',
      'translate(1 2)',
    ])
      assert.include(text, part)
  })

  const unreadable: [what: string, plan: string, rule: string][] = [
    ['a document type', `<!DOCTYPE svg>${svg('')}`, 'doctype'],
    ['an entity', `<!doctype svg [<!ENTITY x "y">]>${svg('&x;')}`, 'doctype'],
    [
      'an external entity',
      `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('&x;')}`,
      'doctype',
    ],
    ['no SVG', '<html/>', 'svg'],
    ['no XML', 'plan', 'svg'],
    ['nothing', '', 'svg'],
    ['an element that is never closed', '<svg xmlns="http://www.w3.org/2000/svg"><g>', 'svg'],
  ]
  for (const [what, plan, rule] of unreadable) {
    test(`a plan with ${what} is refused`, async ({ assert }) => {
      const [problem] = await problemsOf(importHall(plan))
      assert.deepInclude(problem, { field: 'plan', rule })
    })
  }

  test('the same plan uploaded twice is one hall', async ({ assert }) => {
    const plan = svg('')
    await importHall(plan)
    await assert.rejects(() => importHall(plan), 'It already exists')
  })
})

test.group('Seat lists', () => {
  test('every invalid line is reported with its number and field', async ({ assert }) => {
    const problems = await problemsOf(
      importHall(
        svg(''),
        LINE,
        LINE,
        '1-1,sector-a,Партер,,,row-1,1,1,standard',
        'seat-2,a,,,,row-1,1,1,standard',
        'seat-3,sector-a,Партер,,,row-1,,,gold'
      )
    )
    assert.deepEqual(
      problems.map(({ field, rule }) => `${field} ${rule}`),
      [
        'line 3: space_id unique',
        'line 4: space_id identifier',
        'line 5: sector_id identifier',
        'line 5: sector_ru required',
        'line 6: row_label length',
        'line 6: seat_label length',
        'line 6: category_code enum',
      ]
    )
    for (const { message } of problems) assert.match(message, /\w{3,} /)
  })

  test('seats missing from the plan are reported', async ({ assert }) => {
    const problems = await problemsOf(
      importHall(svg(''), LINE, 'seat-9-9,sector-a,Партер,,,row-1,1,2,standard')
    )
    assert.deepEqual(
      problems.map(({ field, rule }) => [field, rule]),
      [['seat-9-9', 'drawn']]
    )
  })

  test('an empty list is refused', async ({ assert }) => {
    const [problem] = await problemsOf(importHall(svg(''), ''))
    assert.deepInclude(problem, { field: 'seats', rule: 'empty' })
  })

  test('a line with too many or too few values is refused', async ({ assert }) => {
    for (const line of [`${LINE},x`, 'seat-1-1,sector-a']) {
      const [problem] = await problemsOf(importHall(svg(''), line))
      assert.deepInclude(problem, { field: 'line 2: seats', rule: 'csv' })
    }
  })

  test('a byte order mark, CRLF, quotes and blanks are accepted', async ({ assert }) => {
    const line = 'seat-1-1 , sector-a,"Партер, левая сторона",,,row-1,1,1,standard\r\n'
    const { hallId } = await new ImportHall().handle({
      venue: { name: { ru: 'Площадка' } },
      name: { ru: 'Зал' },
      planSvg: svg(''),
      seatsCsv: `\uFEFF${HEADER}\r\n${line}`,
      actor: TESTER,
    })
    const [sector] = await rows('SELECT name FROM sectors WHERE hall_id = $1', [hallId])
    assert.deepEqual(sector.name, { ru: 'Партер, левая сторона' })
  })
})
