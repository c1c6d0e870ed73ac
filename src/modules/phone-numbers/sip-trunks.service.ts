import { Injectable } from '@nestjs/common';
import { LiveEventsService } from '../../common/live/live-events.service.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { IdempotentEffectService } from '../idempotency/idempotent-effect.service.js';
import type { CreateSipTrunkRequest, UpdateSipTrunkRequest } from './dto/sip-trunk.request.js';
import { nicknameOf } from './nickname.js';
import { SipTrunkExistsError, SipTrunkLimitError, SipTrunkNotFoundError } from './phone-numbers.errors.js';
import { PhoneNumbersRepository } from './phone-numbers.repository.js';
import { type CheckedFields, SipTrunkFieldsService } from './sip-trunk-fields.service.js';
import { trunkNumberOf } from './sip-trunk-rules.js';
import type { SipTrunkState } from './trunk-connections/sip-trunk-state.entity.js';
import { SipTrunkStatesRepository } from './trunk-connections/sip-trunk-states.repository.js';
import { SipTrunksRepository, type TrunkWithNumber } from './sip-trunks.repository.js';

/** A trunk with its state of registration and reachability; null while no process serves it. */
export interface TrunkDetails extends TrunkWithNumber {
  readonly state: SipTrunkState | null;
}

/** Numbers behind the account's own SIP provider. The id of a trunk is the id of its number. */
@Injectable()
export class SipTrunksService {
  constructor(
    private readonly trunks: SipTrunksRepository,
    private readonly states: SipTrunkStatesRepository,
    private readonly numbers: PhoneNumbersRepository,
    private readonly accounts: AccountsService,
    private readonly fields: SipTrunkFieldsService,
    private readonly transactions: Transactions,
    private readonly effect: IdempotentEffectService,
    private readonly live: LiveEventsService,
  ) {}

  async list(userId: number): Promise<TrunkDetails[]> {
    const [trunks, states] = await Promise.all([this.trunks.listOf(userId), this.states.ofAccount(userId)]);
    return trunks.map((trunk) => ({ ...trunk, state: states.get(trunk.trunk.id) ?? null }));
  }

  /** @throws SipTrunkNotFoundError */
  async get(userId: number, id: number): Promise<TrunkDetails> {
    const [found, state] = await Promise.all([this.find(userId, id), this.states.find(userId, id)]);
    return { ...found, state };
  }

  private async find(userId: number, id: number, tx?: Tx): Promise<TrunkWithNumber> {
    const [number, trunk] = await Promise.all([
      this.numbers.find(userId, id, tx),
      this.trunks.find(userId, id, tx),
    ]);
    if (!number || !trunk) throw new SipTrunkNotFoundError();
    return { number, trunk };
  }

  /** @throws ValidationFailedError | SipTrunkLimitError | SipTrunkExistsError */
  async create(userId: number, request: CreateSipTrunkRequest): Promise<TrunkDetails> {
    const checked = this.fields.check(request.sip_trunk_type, request);
    const created = await this.transactions.run((tx) =>
      this.effect.once(tx, {
        make: () => this.add(userId, request, checked, tx),
        referenceOf: ({ trunk }) => String(trunk.id),
        recall: (id) => this.find(userId, Number(id), tx),
      }),
    );
    return this.changed(created);
  }

  /** Changes the fields that were sent. @throws SipTrunkNotFoundError | ValidationFailedError | SipTrunkExistsError */
  async update(userId: number, id: number, request: UpdateSipTrunkRequest): Promise<TrunkDetails> {
    const updated = await this.transactions.run(async (tx) => {
      const number = await this.numbers.findLocked(userId, id, tx);
      const trunk = await this.trunks.find(userId, id, tx);
      if (!number || !trunk) throw new SipTrunkNotFoundError();
      this.fields.apply(trunk, request, this.fields.check(trunk.type, request, trunk));
      if (!(await this.trunks.save(trunk, tx))) throw new SipTrunkExistsError();

      const country = trunkNumberOf(trunk.type, trunk.phoneNumber)?.countryCode;
      // A proof is of the number that was called, and of no other.
      if (number.phoneNumber !== trunk.phoneNumber) number.verifiedAt = number.verifiedBy = null;
      number.phoneNumber = trunk.phoneNumber;
      number.countryCode = country ?? request.country_code ?? number.countryCode;
      if (request.nickname !== undefined) number.nickname = nicknameOf(request.nickname);
      number.updatedAt = new Date();
      await this.states.forget(userId, id, tx);
      return { number: await this.numbers.save(number, tx), trunk };
    });
    return this.changed(updated);
  }

  /** The process that serves trunks takes the change up; until then nothing is known of the trunk. */
  private changed(trunk: TrunkWithNumber): TrunkDetails {
    this.live.publish('sip-trunks', 'resync');
    return { ...trunk, state: null };
  }

  private async add(
    userId: number,
    request: CreateSipTrunkRequest,
    checked: CheckedFields,
    tx: Tx,
  ): Promise<TrunkWithNumber> {
    const { number: phone, address } = checked;
    if (!phone || address === undefined) throw new Error('a required field of a new trunk was not validated');
    const { maxSipTrunks } = await this.accounts.lockLimits(userId, tx);
    if ((await this.trunks.count(userId, tx)) >= maxSipTrunks) throw new SipTrunkLimitError(maxSipTrunks);
    const number = await this.numbers.add(
      {
        userId,
        phoneNumber: phone.e164,
        countryCode: phone.countryCode ?? request.country_code,
        nickname: nicknameOf(request.nickname),
        type: 'sip',
      },
      tx,
    );
    const trunk = this.fields.newTrunk(number, request, { ...checked, address });
    if (!(await this.trunks.save(trunk, tx))) throw new SipTrunkExistsError();
    return { number, trunk };
  }
}
