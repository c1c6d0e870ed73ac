import { Injectable } from '@nestjs/common';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import { type RoutingPreview, RoutingPreviewsService } from './routing-previews.service.js';

/** Lists numbers with who answers them. */
@Injectable()
export class RoutedNumbersService {
  constructor(
    private readonly numbers: PhoneNumbersService,
    private readonly previews: RoutingPreviewsService,
  ) {}

  /** The numbers the caller owns and those granted to the caller, oldest first. Only the owner sees who answers. */
  async list(userId: number) {
    const numbers = await this.numbers.listVisible(userId);
    const previews = await this.previews.previewAll(userId, numbers);
    return numbers.map((number): { number: typeof number; preview: RoutingPreview | null } => ({
      number,
      preview: previews.get(number.id) ?? null,
    }));
  }
}
