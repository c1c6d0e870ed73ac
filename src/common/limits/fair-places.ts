/** What takes a place. */
export interface Occupant {
  /** Its place goes to another. */
  evict(): void;
  /** It is doing something: of the same holder those that do nothing go first. */
  isBusy?(): boolean;
}

interface Place {
  readonly occupant: Occupant;
  readonly number: number;
}

/** Places that several holders share. A newcomer always gets one: when all are taken, the holder with the most loses one. */
export class FairPlaces {
  private readonly holders = new Map<string, Set<Place>>();
  private taken = 0;
  private entered = 0;

  /** @param perHolder how many one holder may have */
  constructor(
    private readonly places: number,
    private readonly perHolder = places,
  ) {}

  /** @returns what gives the place back; calls after the first do nothing */
  enter(holder: string, occupant: Occupant): () => void {
    const place = { occupant, number: ++this.entered };
    const own = this.holders.get(holder) ?? new Set<Place>();
    this.holders.set(holder, own.add(place));
    this.taken++;
    if (own.size > this.perHolder) this.evictFrom(holder);
    else if (this.taken > this.places) this.evictFrom(this.largestHolder());
    return () => this.leave(holder, place);
  }

  private evictFrom(holder: string): void {
    const places = [...(this.holders.get(holder) ?? [])];
    const victim = places.find(({ occupant }) => !(occupant.isBusy?.() ?? false)) ?? places[0];
    if (!victim) return;
    this.leave(holder, victim);
    victim.occupant.evict();
  }

  /** Of several, the one whose oldest place is the oldest. */
  private largestHolder(): string {
    let largest = { holder: '', size: 0, oldest: Infinity };
    for (const [holder, places] of this.holders) {
      const oldest = places.values().next().value?.number ?? Infinity;
      const isLarger =
        places.size > largest.size || (places.size === largest.size && oldest < largest.oldest);
      if (isLarger) largest = { holder, size: places.size, oldest };
    }
    return largest.holder;
  }

  private leave(holder: string, place: Place): void {
    const places = this.holders.get(holder);
    if (!places?.delete(place)) return;
    this.taken--;
    if (places.size === 0) this.holders.delete(holder);
  }
}
