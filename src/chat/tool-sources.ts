/** Tool sources: a constant list, and several sources as one. */
import type {ChatEventBatch} from './event.ts';
import type {OfferedTool, Tool, ToolSource} from './tool.ts';

export function createFixedSource(tools: readonly OfferedTool[]): ToolSource {
	return {tools, onChange: () => () => {}, takeNotices: () => [], close: async () => {}};
}

/** Joins sources. For tools with the same name, the earlier source wins. */
export function joinSources(sources: readonly ToolSource[]): ToolSource {
	return {
		get tools() {
			const tools = new Map<string, OfferedTool>();
			for (const tool of sources.flatMap((source) => source.tools)) {
				if (!tools.has(tool.definition.name)) tools.set(tool.definition.name, tool);
			}
			return [...tools.values()];
		},
		onChange(listener) {
			const stops = sources.map((source) => source.onChange(listener));
			return () => {
				for (const stop of stops) stop();
			};
		},
		takeNotices: () => sources.flatMap((source) => source.takeNotices()),
		async close() {
			await Promise.allSettled(sources.map((source) => source.close()));
		},
	};
}

export function runnableTools(tools: readonly OfferedTool[]): readonly Tool[] {
	return tools.filter((tool): tool is Tool => 'run' in tool);
}

export function* reportNotices(source: ToolSource): Generator<ChatEventBatch, void, undefined> {
	const notices = source.takeNotices();
	if (notices.length > 0) yield notices.map((notice) => ({type: 'notice', notice}));
}
