export const HALL_FILES = ['plan', 'seats'] as const

export type HallFile = (typeof HALL_FILES)[number]
export type ChosenFiles = Record<HallFile, File | null>
/** The largest files in bytes. */
export type FileLimits = Record<HallFile, number>

export const isTooLarge = (files: ChosenFiles, limits: FileLimits, name: HallFile) =>
  (files[name]?.size ?? 0) > limits[name]

/** Whether both files are chosen and none is too large. */
export const canBeSent = (files: ChosenFiles, limits: FileLimits) =>
  HALL_FILES.every((name) => files[name] !== null && !isTooLarge(files, limits, name))
