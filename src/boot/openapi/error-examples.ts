import type { OpenAPIObject, OperationObject, ResponseObject } from '@nestjs/swagger';
import type { ErrorKind } from '../../common/errors/domain-error.js';
import { errorBodyFor, languageOf } from '../../common/errors/route-families.js';
import { render, text, type TextKey } from '../../i18n/catalogue.js';
import type { TextParams } from '../../i18n/text.js';
import type { ErrorExample } from '../../feature.js';
import { generalErrorOf } from './general-errors.js';
import { operationsOf } from './operations.js';
import { scopeOf } from './scopes.js';
import { validationExampleOf } from './validation-example.js';

/** What an operation's own rules answer: method and path, status, text. The first match wins. */
type OwnError = readonly [operation: RegExp, status: number, key: TextKey, params?: TextParams];

const OWN_ERRORS: readonly OwnError[] = [
  [/^post \/api\/user\/campaigns\/update-status$/, 400, 'campaigns.no_leads'],
  [/^post \/api\/conversations(\/\{uuid\}\/messages)?$/, 400, 'billing.insufficient_balance'],
  [/^get \/api\/user\/phone-numbers\/search$/, 400, 'carrier_accounts.refused'],
  [/^get \/api\/user\/phone-numbers\/adoptable$/, 400, 'carrier_accounts.refused'],
  [/^post \/api\/user\/phone-numbers\/adopt$/, 400, 'phone_numbers.bound_elsewhere'],
  [/^post \/api\/user\/phone-numbers\/adopt$/, 404, 'phone_numbers.not_at_carrier'],
  [/^post \/api\/user\/phone-numbers\/purchase$/, 400, 'phone_numbers.not_offered'],
  [/^post \/api\/user\/phone-numbers\/purchase$/, 402, 'billing.insufficient_balance'],
  [/^post \/api\/auth\/login$/, 401, 'auth.bad_credentials'],
  [/^post \/api\/auth\/session$/, 403, 'http.foreign_origin'],
  [/^post \/api\/auth\/register$/, 403, 'auth.registration_closed'],
  [/^\w+ \/api\/(conversations|web-calls|widget)(\/|$)/, 403, 'visitors.origin_not_allowed'],
  [/\/api\/user\/api-keys\//, 404, 'api_keys.not_found'],
  [/^post \/api\/user\/members\/\{id\}\/password-link$/, 400, 'members.password_link_own'],
  [/^post \/api\/auth\/password\/reset$/, 404, 'auth.password_link_not_found'],
  [/\/api\/user\/members\//, 404, 'members.not_found'],
  [/\/api\/(user\/invitations\/|auth\/join$)/, 404, 'members.invitation_not_found'],
  [/\/api\/auth\/sessions\//, 404, 'auth.session_not_found'],
  [/\/leads\/imports\/\{importId\}$/, 404, 'leads.import_not_found'],
  [/\/leads\/imports\/\{importId\}\/refusals$/, 404, 'leads.refusals_not_found'],
  [/\/leads\/import(\/columns)?$/, 415, 'leads.import_media'],
  [/^post \/api\/user\/campaigns?$/, 404, 'campaigns.assistant_not_found'],
  [/\/api\/user\/campaigns?\//, 404, 'campaigns.not_found'],
  [/\/api\/recordings\//, 404, 'calls.no_recording'],
  [/\/recording$|\/api\/recordings\//, 416, 'calls.no_such_part'],
  [/\/api\/user\/calls\//, 404, 'calls.not_found'],
  [/^post \/api\/(user\/)?conversations$/, 404, 'conversations.assistant_not_found'],
  [/\/api\/(conversations\/challenges|widget)\//, 404, 'conversations.assistant_not_found'],
  [/\/api\/(user\/|automate\/)?conversations\//, 404, 'conversations.not_found'],
  [/\/api\/(web-calls(\/\{uuid\})?|user\/make_call)$/, 404, 'assistants.not_found'],
  [/\/api\/user\/assistants?\//, 404, 'assistants.not_found'],
  [/\/api\/user\/carrier-accounts\//, 404, 'carrier_accounts.not_found'],
  [/\/api\/user\/carrier-accounts\//, 409, 'carrier_accounts.in_use'],
  [/\/api\/user\/folders?\//, 404, 'folders.not_found'],
  [/\/api\/user\/labels?\//, 404, 'labels.not_found'],
  [/\/documents\/\{id\}$/, 404, 'documents.not_found'],
  [/\/api\/user\/knowledgebases\//, 404, 'knowledgebases.not_found'],
  [/^post \/api\/user\/lead$/, 404, 'leads.campaign_not_found'],
  [/\/api\/(user\/)?leads\//, 404, 'leads.not_found'],
  [/\/phone-numbers\/sip-trunks\//, 404, 'sip_trunks.not_found'],
  [/\/mcp-servers\/\{serverId\}\/mcp-tools\/\{id\}$/, 404, 'mcp_servers.tool_not_found'],
  [/\/mcp-servers\/\{serverId\}\/mcp-tools\/\{id\}$/, 409, 'mcp_servers.tool_changed'],
  [
    /^post \/api\/user\/mcp-servers\/\{id\}\/refresh$/,
    400,
    'mcp_servers.refresh_failed',
    { reason: 'The server refused the request.' },
  ],
  [/\/api\/user\/mcp-servers\//, 404, 'mcp_servers.not_found'],
  [/\/api\/user\/phone-numbers\//, 404, 'phone_numbers.not_found'],
  [/\/api\/user\/privacy\/account-exports\//, 404, 'account_data.export_not_found'],
  [/\/api\/user\/privacy\/account-exports\//, 409, 'account_data.export_not_ready'],
  [/\/api\/user\/privacy\/erasures\//, 404, 'privacy.erasure_not_found'],
  [/\/api\/user\/tools\//, 404, 'tools.not_found'],
  [/\/api\/user\/webhook-deliveries\//, 404, 'webhooks.not_found'],
  [/\/api\/user\/webhook-endpoints\//, 404, 'webhooks.endpoint_not_found'],
  [/\/events$/, 406, 'http.events_only'],
  [/^get \/api\/user\/tools\/\{id\}$/, 406, 'http.not_acceptable'],
  [/^delete \/api\/user\/calls\/\{id\}$/, 409, 'calls.still_running'],
  [/^post \/api\/user\/calls\/\{id\}\/hangup$/, 409, 'calls.over'],
  [/^delete \/api\/user\/leads\/\{id\}$/, 409, 'leads.calling'],
  [/^(put|patch) \/api\/(user\/)?leads\/\{id\}$/, 409, 'leads.calling_move'],
  [/^post \/api\/user\/privacy\/erase$/, 409, 'privacy.own_number'],
  [/\/phone-numbers\/sip-trunks/, 409, 'sip_trunks.exists'],
];

const KIND_OF_OWN: Readonly<Record<number, ErrorKind>> = {
  400: 'refused',
  401: 'unauthorized',
  402: 'payment-required',
  403: 'forbidden',
  404: 'not-found',
  406: 'not-acceptable',
  409: 'conflict',
  415: 'unsupported-media',
  416: 'no-such-part',
};

/** Gives every error body the example that its route really answers, made by the function that makes it at run time. */
export function addErrorExamples(document: OpenAPIObject, ofFeatures: readonly ErrorExample[]): void {
  const own: readonly OwnError[] = [
    ...ofFeatures.map(({ operation, status, text: key }): OwnError => [operation, status, key]),
    ...OWN_ERRORS,
  ];
  for (const { method, path, operation } of operationsOf(document)) {
    for (const [code, response] of Object.entries(operation.responses)) {
      const { content } = response as ResponseObject;
      const media = content?.['application/json'];
      const status = Number(code);
      if (!content || !media || status < 400) continue;
      // An error comes before the first event, and is no stream.
      delete content['text/event-stream'];
      if (media.example !== undefined) continue;
      const example =
        ownExampleOf(own, `${method} ${path}`, path, status) ??
        (status === 422 ? validationExampleOf(document, path, operation) : undefined) ??
        generalExampleOf(path, operation, status);
      // Without one, the body gets the example of its schema. A test asks for one of each route of the product.
      if (example !== undefined) media.example = example;
    }
  }
}

function ownExampleOf(
  own: readonly OwnError[],
  name: string,
  path: string,
  status: number,
): object | undefined {
  const found = own.find(([operation, code]) => code === status && operation.test(name));
  const [, , key, params] = found ?? [];
  const kind = KIND_OF_OWN[status];
  if (!key || !kind) return undefined;
  return errorBodyFor(path, { kind, message: render(text(key, params), languageOf(path)) });
}

function generalExampleOf(path: string, operation: OperationObject, status: number): object | undefined {
  const error = generalErrorOf(operation, status);
  if (!error) return undefined;
  const params = error.kind === 'forbidden' ? { scope: scopeOf(operation) } : error.params;
  const message = render(text(error.key, params), languageOf(path));
  return errorBodyFor(path, { kind: error.kind, message, retryAfterSeconds: error.retryAfterSeconds });
}
