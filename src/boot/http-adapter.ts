import { ExpressAdapter } from '@nestjs/platform-express';

/** Answers unknown paths outside of `/api` as those under it: the framework leaves them to Express, which answers a page of HTML. */
export class HttpAdapter extends ExpressAdapter {
  override setNotFoundHandler(handler: Parameters<ExpressAdapter['setNotFoundHandler']>[0]): void {
    super.setNotFoundHandler(handler);
  }
}
