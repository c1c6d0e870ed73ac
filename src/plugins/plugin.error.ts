/** A plugin that cannot be used. The message is a complete sentence for the operator: it names the plugin and what to do. */
export class PluginError extends Error {
  override readonly name = 'PluginError';
}
