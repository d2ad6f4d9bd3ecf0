import vine from '@vinejs/vine'

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/

const realDay = vine.createRule((value, _, field) => {
  const at = new Date(`${String(value)}T00:00:00Z`)
  const isReal = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(String(value))
  if (!DAY.test(String(value)) || !isReal) field.report('The day is not a real one', 'date', field)
})

/** A calendar day, `YYYY-MM-DD`. */
export const day = () => vine.string().use(realDay())
