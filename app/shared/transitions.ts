/** state → trigger → next state; a pair that is not listed is refused. */
export type Transitions<State extends string, Trigger extends string> = Record<
  State,
  Partial<Record<Trigger, State>>
>
