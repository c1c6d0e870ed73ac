import type { MigrationInterface, QueryRunner } from 'typeorm';

export class TrunkOutboundProxies1763600002000 implements MigrationInterface {
  readonly name = 'TrunkOutboundProxies1763600002000';

  /** Null with `outbound_proxy` true: the address of the trunk itself. Processes of 0.2.0 know the boolean alone. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sip_trunks ADD COLUMN outbound_proxy_address text;');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sip_trunks DROP COLUMN outbound_proxy_address;');
  }
}
