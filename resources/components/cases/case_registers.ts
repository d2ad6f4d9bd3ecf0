import type { NumberedPart } from '#reconciliation/store/place_of_line'
import { inject, provide, type InjectionKey } from 'vue'

export type PartsOfRegisters = Record<number, NumberedPart[]>

const PARTS: InjectionKey<() => PartsOfRegisters> = Symbol('parts of the registers of the case')

/** The page of a case says once which of its registers have several parts; whatever shows their rows asks for them. */
export const providePartsOfRegisters = (parts: () => PartsOfRegisters) => provide(PARTS, parts)

export function usePartsOfRegisters() {
  const parts = inject(PARTS, (): PartsOfRegisters => ({}))
  return (registerId: number) => parts()[registerId] ?? []
}
