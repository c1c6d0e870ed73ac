const HEADER_BYTES = 44;
/** Of a stream whose length is not known when it begins. */
const UNKNOWN_LENGTH = 0;

/**
 * The header of a WAV file of mono PCM16.
 *
 * @param dataBytes how many bytes of samples follow; left out: a stream without a known end
 */
export function waveHeader(rateHz: number, dataBytes = UNKNOWN_LENGTH): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0);
  header.writeUInt32LE(dataBytes === UNKNOWN_LENGTH ? 0 : HEADER_BYTES - 8 + dataBytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rateHz, 24);
  header.writeUInt32LE(rateHz * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(dataBytes, 40);
  return header;
}
