import { type CanActivate, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Request, Response } from 'express';
import { isUnreadBody } from '../connections/unread-body.js';
import { readBackFields } from './read-back.js';
import { unreadFields } from './request-form.js';

/** Names the fields of a request that its route does not read. */
export const IGNORED_FIELDS = 'Prosa-Ignored-Fields';
const MAX_FIELDS = 20;
const MAX_BYTES = 1_000;

type Reader = (value: unknown) => string[];

interface Readers {
  readonly body: Reader;
  readonly query: Reader;
}

/**
 * Lists in a header which fields of the body and which query parameters the route does not read. A misspelled name
 * would otherwise have no effect and no trace. It admits every request. It is a guard because a global interceptor
 * makes NestJS build rxjs observables around every route. That takes about a tenth of the processor time of a short
 * request.
 */
@Injectable()
export class IgnoredFieldsGuard implements CanActivate {
  private readonly readersOfRoute = new WeakMap<Function, Readers>();

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const { body, query } = this.readersOf(context);
    // Express parses the query each time that it is asked for.
    const hasQuery = request.url.includes('?');
    const ignored = [...body(request.body), ...(hasQuery ? query(request.query) : [])];
    const header = headerOf(ignored);
    if (header !== '') http.getResponse<Response>().setHeader(IGNORED_FIELDS, header);
    return true;
  }

  private readersOf(context: ExecutionContext): Readers {
    const route = context.getHandler();
    const known = this.readersOfRoute.get(route);
    if (known) return known;
    const inputs = inputsOf(context.getClass(), route.name);
    const readers = {
      body: readerOf(
        inputs.filter(({ kind }) => kind === String(RouteParamtypes.BODY)),
        readBackFields(route),
      ),
      query: queryReaderOf(readerOf(inputs.filter(({ kind }) => kind === String(RouteParamtypes.QUERY)))),
    };
    this.readersOfRoute.set(route, readers);
    return readers;
  }
}

/** A parameter of a route that comes from the body or from the query. */
interface Input {
  /** Of `RouteParamtypes`, as a text. */
  readonly kind: string | undefined;
  readonly form: Type<object> | undefined;
  /** The one field that the parameter is. */
  readonly field: string | undefined;
}

function inputsOf(controller: Type, route: string): Input[] {
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, route) ??
    []) as Type<object>[];
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, route) ?? {}) as Record<
    string,
    { index: number; data?: unknown }
  >;
  return Object.entries(parameters).map(([key, { index, data }]) => ({
    kind: key.split(':')[0],
    form: types[index],
    field: typeof data === 'string' ? data : undefined,
  }));
}

/** A route that takes its body as a plain object reads all its fields. */
function readerOf(inputs: readonly Input[], readOnly: readonly string[] = []): Reader {
  const isFree = inputs.some(({ form, field }) => field === undefined && (!form || form === Object));
  if (isFree) return () => [];
  const known = new Set([...readOnly, ...inputs.flatMap(({ field }) => field ?? [])]);
  const form = inputs.find(({ field }) => field === undefined)?.form;
  return (value) => (isFieldsObject(value) ? unreadFields(value, form, known, MAX_FIELDS) : []);
}

function isFieldsObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !Buffer.isBuffer(value) && !isUnreadBody(value);
}

/** A list in a query may be written with brackets. */
function queryReaderOf(read: Reader): Reader {
  return (query) => {
    const names = Object.entries(Object(query)).map(([name, value]) => [name.replace(/\[\w*\]$/, ''), value]);
    return read(Object.fromEntries(names));
  };
}

/** Percent-encoded, because a name may hold any character. A name that would make the header too long is left out. */
function headerOf(fields: readonly string[]): string {
  let header = '';
  for (const field of [...new Set(fields)].slice(0, MAX_FIELDS)) {
    const encoded = encodeURIComponent(field.toWellFormed());
    const next = header === '' ? encoded : `${header}, ${encoded}`;
    if (next.length <= MAX_BYTES) header = next;
  }
  return header;
}
