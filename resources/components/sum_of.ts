/** Sum of one number per item; 0 for no items. */
export const sumOf = <Item>(items: readonly Item[], of: (item: Item) => number) =>
  items.reduce((sum, item) => sum + of(item), 0)
