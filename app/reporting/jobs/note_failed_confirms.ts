import NoteFailedConfirms from '#reporting/alerts/note_failed_confirms'

/** Records confirms that we failed, and alerts staff. */
export default async function noteFailedConfirms(): Promise<void> {
  await new NoteFailedConfirms().handle()
}
