import type { CaseRegister } from '#finance/cases/cases_props'
import { inject, provide, type InjectionKey } from 'vue'

type CaseRegisters = Record<number, CaseRegister>

const REGISTERS: InjectionKey<() => CaseRegisters> = Symbol('registers of the case')

/** The page of a case says once what its registers are called; whatever shows their rows asks for them. */
export const provideCaseRegisters = (registers: () => CaseRegisters) =>
  provide(REGISTERS, registers)

export function useCaseRegisters() {
  const registers = inject(REGISTERS, (): CaseRegisters => ({}))
  return (registerId: number): CaseRegister | undefined => registers()[registerId]
}
