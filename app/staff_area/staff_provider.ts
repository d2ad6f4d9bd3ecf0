import { findStaff, type Staff } from '#staff/queries/find_staff'
import { symbols } from '@adonisjs/auth'
import type { SessionUserProviderContract } from '@adonisjs/auth/types/session'

/** Finds the person that a session names, for the session guard. */
export class StaffProvider implements SessionUserProviderContract<Staff> {
  declare [symbols.PROVIDER_REAL_USER]: Staff

  async createUserForGuard(staff: Staff) {
    return { getId: () => staff.id, getOriginal: () => staff }
  }

  async findById(id: number) {
    const staff = await findStaff.first({ id })
    return staff ? this.createUserForGuard(staff) : null
  }
}
