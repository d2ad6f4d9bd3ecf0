import type { HttpContext } from '@adonisjs/core/http'

const SMALLEST_FIRST = ['br', 'gzip'] as const
export type Encoding = (typeof SMALLEST_FIRST)[number]

/** The smallest encoding that the client takes: browsers name all of theirs, and gzip before the better ones. */
export const encodingFor = ({ request }: HttpContext): Encoding | undefined =>
  SMALLEST_FIRST.find((encoding) => request.encoding([encoding]) === encoding)
