import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { BoundTool } from '../../../runtime/assistant-snapshot.js';
import { addedTools, type ToolOwner, type ToolSettings } from '../../../runtime/tools/assistant-tool.js';

/** Built-in tools that modules and plugins bring, made for one assistant by their handlers. */
@Injectable()
export class BoundToolsService {
  constructor(private readonly modules: ModuleRef) {}

  /**
   * Settings of a type that is not there, because its plugin has been taken away, stand for no tool.
   *
   * @throws Error when a handler makes a function that its definition does not name
   */
  of(settings: readonly Pick<ToolSettings, 'type'>[], owner: ToolOwner): BoundTool[] {
    return settings.flatMap((each) => {
      const definition = addedTools.get(each.type);
      if (!definition) return [];
      const { type, names, handler, channels = ['chat', 'call'] } = definition;
      const tools = this.modules.get(handler, { strict: false }).tools({ ...each }, owner);
      const stray = tools.find((tool) => !names.includes(tool.definition.name));
      if (stray) throw new Error(`${stray.definition.name} is not among the names of the tool ${type}`);
      return tools.map((tool) => ({ ...tool, channels }));
    });
  }
}
