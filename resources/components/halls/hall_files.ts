import { wantsFields } from '~/components/wants'
import { messageText, t } from '~/texts/texts'

export const HALL_FILES = ['plan', 'seats'] as const

export type HallFile = (typeof HALL_FILES)[number]
export type ChosenFiles = Record<HallFile, File | null>
/** The largest files in bytes. */
export type FileLimits = Record<HallFile, number>

export const isTooLarge = (files: ChosenFiles, limits: FileLimits, name: HallFile) =>
  (files[name]?.size ?? 0) > limits[name]

/** Why the files can't be sent yet: one is missing, or too large. */
export function wantsFiles(files: ChosenFiles, limits: FileLimits): string {
  if (HALL_FILES.some((name) => isTooLarge(files, limits, name)))
    return messageText('uploads.too_large')
  return wantsFields(HALL_FILES.map((name) => [t(`halls.${name}`), files[name]]))
}
