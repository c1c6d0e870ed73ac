import { types } from 'node:util';

/**
 * Jest runs tests in a realm of its own, where errors made by Node are no `instanceof Error`. Libraries that ask so before
 * they ignore an error then throw it. Imported first, this answers as in a process without Jest.
 */
Object.defineProperty(Error, Symbol.hasInstance, {
  value(this: ErrorConstructor, value: unknown) {
    return this === Error
      ? types.isNativeError(value)
      : Function.prototype[Symbol.hasInstance].call(this, value);
  },
});

Object.defineProperty(TypeError, Symbol.hasInstance, {
  value(this: TypeErrorConstructor, value: unknown) {
    return this === TypeError
      ? types.isNativeError(value) && value.name === 'TypeError'
      : Function.prototype[Symbol.hasInstance].call(this, value);
  },
});
