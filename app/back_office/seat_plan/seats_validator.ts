import { messages, reason } from '#staff_area/form_fields'
import vine from '@vinejs/vine'

const LONGEST_SPACE_ID = 100
const MOST_SEATS = 20_000
const MOST_SEATS_OF_A_CART = 100

const seats = (most: number) =>
  vine.array(vine.string().maxLength(LONGEST_SPACE_ID)).minLength(1).maxLength(most).distinct()

export const blockValidator = vine.create({
  seats: seats(MOST_SEATS),
  reason: reason(),
  /** Only of an undo: the request of the act. */
  undoes: vine.string().uuid().optional(),
})
export const holdValidator = vine.create({
  seats: seats(MOST_SEATS_OF_A_CART),
  minutes: vine.number().in([5, 15, 30, 60]),
})
blockValidator.messagesProvider = messages
holdValidator.messagesProvider = messages
