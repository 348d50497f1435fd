/** The offer of a server: names, texts and schemas as it sent them, checked for types only. Untrusted. */
import type {JsonObject} from '../json.ts';

export type Offer = {
	/** Sorted by name, each name once. */
	readonly tools: readonly ServerTool[];
	readonly prompts: readonly ServerPrompt[];
	readonly resources: readonly ServerResource[];
	readonly resourceTemplates: readonly ServerResourceTemplate[];
};

export type ServerTool = {
	/** Its name for the server; a request uses another one. */
	readonly name: string;
	readonly title?: string | undefined;
	readonly description?: string | undefined;
	/** JSON Schema of the arguments; its root is an object. */
	readonly inputSchema: JsonObject;
	/** Claims of the server, such as `readOnlyHint`. They are shown, and decide nothing. */
	readonly annotations?: JsonObject | undefined;
};

export type ServerPrompt = {
	readonly name: string;
	readonly title?: string | undefined;
	readonly description?: string | undefined;
	readonly arguments: ReadonlyArray<{
		readonly name: string;
		readonly description?: string | undefined;
		readonly isRequired: boolean;
	}>;
};

export type ServerResource = {
	readonly uri: string;
	readonly name: string;
	readonly title?: string | undefined;
	readonly description?: string | undefined;
	readonly mediaType?: string | undefined;
};

export type ServerResourceTemplate = Omit<ServerResource, 'uri'> & {
	/** An RFC 6570 template: `repo://{owner}/{path}`. */
	readonly uriTemplate: string;
};
