import { readInstant } from '#shared/instants'
import { refuseField, Refusal, type FieldProblem } from '#shared/refusals'
import vine, { type VineValidator } from '@vinejs/vine'
import type { ErrorReporterContract, FieldContext, Infer, SchemaTypes } from '@vinejs/vine/types'

/** Collects problems for `details.fields`, with dotted paths such as `seats.0` (completions, Shapes). */
class FieldReporter implements ErrorReporterContract {
  hasErrors = false
  #fields: FieldProblem[] = []

  report(message: string, rule: string, field: FieldContext, given?: Record<string, any>) {
    this.hasErrors = true
    const path = field.getFieldPath()
    const named =
      rule === 'enum'
        ? `The ${path} field must be one of ${(given!.choices as string[]).join(', ')}`
        : message.replace(/^The (\S+ field|value)/, `The ${path} field`)
    this.#fields.push({ field: path, rule: rule.replace('array.', ''), message: named })
  }

  createError() {
    return new Refusal('INVALID_PARAMETERS', { fields: this.#fields }) as never
  }
}

const errorReporter = () => new FieldReporter()

/** The validated values, or INVALID_PARAMETERS with all problems. */
export function check<Schema extends SchemaTypes>(
  validator: VineValidator<Schema, undefined>,
  values: unknown
): Promise<Infer<VineValidator<Schema, undefined>>> {
  return validator.validate(values, { errorReporter, meta: undefined })
}

/** Text that PostgreSQL can store: no NUL, no lone surrogate; lengths in characters. */
const plain = vine.createRule<{ min: number; max: number }>(
  (value, { min, max }, field) => {
    if (typeof value !== 'string') return
    if (!value.isWellFormed() || value.includes('\0')) {
      field.report(
        'The {{ field }} field has a character that cannot be stored',
        'characters',
        field
      )
    }
    const length = value.length > max * 2 ? value.length : [...value].length
    if (length < min)
      field.report('The {{ field }} field must not be empty', 'minLength', field, { min })
    if (length > max) {
      field.report(
        `The {{ field }} field must not be longer than ${max} characters`,
        'maxLength',
        field,
        { max }
      )
    }
  },
  {
    name: 'plain',
    toJSONSchema: (schema, { min, max }) =>
      Object.assign(schema, { minLength: min, maxLength: max, pattern: '^[^\\u0000]*$' }),
  }
)

/** An existing instant with a UTC offset, in the years that `readInstant` takes. */
export const moment = vine.createRule(
  (value, _options, field) => {
    if (typeof value === 'string' && !readInstant(value)) {
      field.report(
        'The {{ field }} field must be an ISO 8601 moment with a UTC offset, in the years 1970 to 9998',
        'instant',
        field
      )
    }
  },
  { name: 'moment', toJSONSchema: (schema) => Object.assign(schema, { format: 'date-time' }) }
)

const notNull = vine.createRule(
  (value, _options, field) => {
    if (value === null) field.report('The {{ field }} field must not be null', 'notNull', field)
  },
  { name: 'notNull', implicit: true }
)

const isTrue = vine.createRule((value, _options, field) => {
  if (value === false) field.report('The {{ field }} field must be true', 'true', field)
})

export const text = (min: number, max: number) =>
  vine.string().use(notNull()).use(plain({ min, max }))
export const onlyTrue = () => vine.boolean({ strict: true }).use(isTrue())

const PARAMETER_NAME = /^[\w.[\]-]{1,64}$/

/** Query parameters as sent: one value each, neither split nor converted. */
export function readQuery(url: string): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(url.split('?').slice(1).join('?'))) {
    if (Object.hasOwn(values, name)) refuseTwice(name)
    Object.defineProperty(values, name, { value, enumerable: true })
  }
  return values
}

/** An empty, long or unusual name is not echoed: `field` stays a short word. */
function refuseTwice(name: string): never {
  if (PARAMETER_NAME.test(name))
    return refuseField(name, 'once', `The parameter ${name} is given twice`)
  return refuseField('query', 'once', 'A parameter is given twice')
}

const DIGITS = /^\d{1,10}$/

/** An integer query parameter between its limits, or INVALID_PARAMETERS. */
export function wholeNumber(
  field: string,
  value: string | undefined,
  { min, max, otherwise }: { min: number; max: number; otherwise: number }
): number {
  if (value === undefined) return otherwise
  const number = DIGITS.test(value) ? Number(value) : Number.NaN
  if (!(number >= min && number <= max)) {
    refuseField(
      field,
      'range',
      `The ${field} parameter must be a whole number from ${min} to ${max}`
    )
  }
  return number
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/

/** A real calendar date `YYYY-MM-DD`, or INVALID_PARAMETERS. */
export function calendarDate(field: string, value: string | undefined): string | null {
  if (value === undefined) return null
  const date = new Date(`${value}T00:00:00Z`)
  const isReal =
    DATE.test(value) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
  if (!isReal || value < '0001')
    refuseField(field, 'date', `The ${field} parameter must be a date, YYYY-MM-DD`)
  return value
}

/** One of a closed set, or INVALID_PARAMETERS. */
export function enumValue<Value extends string>(
  field: string,
  value: string | undefined,
  allowed: readonly Value[],
  more: Record<string, unknown> = {}
): Value | null {
  if (value === undefined) return null
  if (!allowed.includes(value as Value)) {
    refuseField(field, 'enum', `The ${field} parameter must be one of ${allowed.join(', ')}`, more)
  }
  return value as Value
}
