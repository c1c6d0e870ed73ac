interface Appointment<Deed> {
  readonly atMs: number;
  readonly deed: Deed;
}

/** What is going to happen when, in a time that the owner sets. */
export class SandboxAgenda<Deed> {
  /** In their order; of the same moment, the one planned first is first. */
  private appointments: Appointment<Deed>[] = [];

  /** Null when nothing is planned. */
  get nextAtMs(): number | null {
    return this.appointments[0]?.atMs ?? null;
  }

  plan(atMs: number, deed: Deed): void {
    const later = this.appointments.findIndex((other) => other.atMs > atMs);
    this.appointments.splice(later < 0 ? this.appointments.length : later, 0, { atMs, deed });
  }

  /** Takes out what comes first, if its time has come. */
  takeDue(nowMs: number): Appointment<Deed> | null {
    const [next] = this.appointments;
    if (!next || next.atMs > nowMs) return null;
    this.appointments.shift();
    return next;
  }

  has(isMeant: (deed: Deed) => boolean): boolean {
    return this.appointments.some(({ deed }) => isMeant(deed));
  }

  /** Drops all that is not to stay. */
  keepOnly(stays: (deed: Deed) => boolean): void {
    this.appointments = this.appointments.filter(({ deed }) => stays(deed));
  }

  clear(): void {
    this.appointments = [];
  }
}
