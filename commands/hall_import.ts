import ImportHall from '#catalog/actions/import_hall'
import { refuseField } from '#shared/refusals'
import { flags } from '@adonisjs/core/ace'
import { readFile } from 'node:fs/promises'
import { CoreCommand } from '#console/core_command'

export default class HallImport extends CoreCommand {
  static commandName = 'hall:import'
  static description = 'Load a hall from its SVG plan and a CSV of its seats'

  @flags.string({ description: 'SVG file; its element ids are the seats', required: true })
  declare plan: string

  @flags.string({
    description:
      'CSV file: space_id,sector_id,sector_ru,sector_kk,sector_en,row_id,row_label,seat_label,category_code',
    required: true,
  })
  declare seats: string

  @flags.string({ description: 'Name of the hall in Russian', required: true })
  declare name: string

  @flags.string({ description: 'Id of an existing venue' })
  declare venueId?: string

  @flags.string({ description: 'Name of a new venue in Russian' })
  declare venueName?: string

  protected async perform() {
    if (!this.venueId === !this.venueName)
      refuseField('venue', 'either', 'Give either --venue-id or --venue-name')
    const hall = await new ImportHall().handle({
      venue: this.venueId ? { id: this.venueId } : { name: { ru: this.venueName! } },
      name: { ru: this.name },
      planSvg: await readText('plan', this.plan),
      seatsCsv: await readText('seats', this.seats),
      actor: this.actor,
    })
    this.logger.success(`hall ${hall.hallId} with ${hall.seats} seats in venue ${hall.venueId}`)
  }
}

const readText = (flag: string, path: string) =>
  readFile(path, 'utf8').catch((error: Error) => refuseField(flag, 'file', error.message))
