import { FRAME_MS, keypadTones } from '@prosa/audio';
import type { PersonaReply, SandboxPersona } from '../sandbox-persona.js';
import { SANDBOX_TIMES } from '../sandbox-times.js';
import { RemoteParty, type RemotePartySetup } from './remote-party.js';
import { cough } from './line-sounds.js';
import { RecognizerTap } from './recognizer-tap.js';

/** How far into the words of the other side a person coughs, or begins to talk over them. */
const DISTURBS_AFTER_MS = 1_000;
/** How long they wait for the other side's goodbye, and for its end. */
const GOODBYE_MS = { toBegin: 3_000, toEnd: 8_000 };
/** A pause of this length ends what the other side says, for a person who has only waited for it. */
const PAUSE_MS = 300;

/** A person at the far end, with their script: hears whether the other side speaks, and takes their turn. */
export class Person extends RemoteParty {
  private readonly ear = new RecognizerTap();
  private replies: readonly PersonaReply[];
  /** In which neither side has spoken. */
  private idleMs = 0;
  private nudges = 0;
  /** They speak, or have just spoken. */
  private takesTurn = false;
  private wasSpokenTo = false;
  private hasCoughed = false;
  /** Since they have said goodbye; null before. */
  private leavingMs: number | null = null;

  constructor(
    setup: RemotePartySetup,
    private readonly persona: SandboxPersona,
  ) {
    super(setup);
    this.replies = persona.replies;
    if (persona.manner === 'noisy-street') this.standInStreet();
  }

  protected live(heard: readonly Int16Array[]): void {
    for (const frame of heard) this.ear.hear(frame);
    if (this.isSounding) {
      this.idleMs = 0;
      return;
    }
    if (this.takesTurn) this.endTurn();
    if (this.leavingMs !== null) return this.awaitGoodbye((this.leavingMs += FRAME_MS));
    if (this.ear.hasHeard) this.listen();
    else this.sayNothingFor(FRAME_MS);
  }

  /** Speech that overlaps the person's own words is no turn of the other side, unless it continues. */
  private endTurn(): void {
    this.takesTurn = false;
    this.ear.forget();
  }

  private listen(): void {
    const { ear, persona } = this;
    const { interruptsAfterMs, thinksMs } = SANDBOX_TIMES;
    this.wasSpokenTo = true;
    this.idleMs = 0;
    this.nudges = 0;
    const [next] = this.replies;
    const isOver = ear.quietMs >= PAUSE_MS;
    if (next?.hangUp === 'instead' && (isOver || ear.spokenMs >= interruptsAfterMs))
      return this.setup.onHangUp();
    const isLong = !isOver && ear.spokenMs >= DISTURBS_AFTER_MS;
    if (isLong && persona.manner === 'coughs' && !this.hasCoughed) {
      this.hasCoughed = true;
      // Not by `say`: a cough takes no turn, and the other side continues.
      return this.play(cough(this.setup.sampleRateHz));
    }
    if (ear.quietMs >= thinksMs || (isLong && persona.manner === 'talks-over' && next)) this.takeTurn();
  }

  private takeTurn(): void {
    this.ear.forget();
    this.hasCoughed = false;
    const [reply, ...later] = this.replies;
    if (!reply) return;
    this.replies = later;
    this.takesTurn = true;
    if (reply.say === undefined) this.finishTurn(reply);
    else this.say(reply.say, () => this.finishTurn(reply));
  }

  private finishTurn({ press, hangUp }: PersonaReply): void {
    if (press !== undefined) {
      this.pause(PAUSE_MS);
      this.play(keypadTones(press, this.setup.sampleRateHz));
    }
    if (hangUp) this.leavingMs = 0;
  }

  private awaitGoodbye(waitedMs: number): void {
    const { hasHeard, quietMs } = this.ear;
    const isAnswered = hasHeard && quietMs >= SANDBOX_TIMES.thinksMs;
    if (isAnswered || waitedMs >= (hasHeard ? GOODBYE_MS.toEnd : GOODBYE_MS.toBegin)) this.setup.onHangUp();
  }

  private sayNothingFor(ms: number): void {
    const { opening, nudge } = this.persona;
    this.idleMs += ms;
    if (opening !== null && !this.wasSpokenTo && this.nowMs >= SANDBOX_TIMES.untilOpeningMs) {
      this.wasSpokenTo = true;
      this.takesTurn = true;
      return this.say(opening);
    }
    if (nudge === null || this.idleMs < SANDBOX_TIMES.patienceMs) return;
    this.idleMs = 0;
    if (++this.nudges > 1) return this.setup.onHangUp();
    this.takesTurn = true;
    this.say(nudge);
  }
}
