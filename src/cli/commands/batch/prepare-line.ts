/** Makes a line's request. */
import {type BatchLine, type InputFormat, parseLine} from '../../../batch/parse-line.ts';
import type {InputLine} from '../../../batch/read-input.ts';
import {beginTurn, createConversation, messagesOf} from '../../../chat/conversation.ts';
import {createStepRequest} from '../../../chat/turn.ts';
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import {hashOf} from '../../../files/trust.ts';
import {loadPrompt} from '../../../input/load-prompt.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import {expandModelName} from '../../../settings/service/model-name.ts';
import {lintRequest} from '../../run/chat-options.ts';
import type {LoadedSchema} from '../../run/load-schema.ts';
import type {Request} from '../../run/turn-runner.ts';
import type {OpenBatch} from './open-batch.ts';

export type PreparedLine = {
	readonly id: string;
	/** Changes with anything the service would get. */
	readonly hash: string;
	readonly request: Request;
	readonly settings: Settings;
	/** The request's body, without streaming. */
	readonly body: string;
};

export type PrepareLine = (line: InputLine, format: InputFormat) => Promise<PreparedLine>;

/**
 * Creates a function that throws `data` errors naming the line.
 *
 * @param name of the input, for messages
 */
export function createPrepareLine(
	batch: OpenBatch,
	name: string,
	environment: Environment,
): PrepareLine {
	const loadSchema = createSchemaLoader(batch);
	return async ({number, text}, format) => {
		try {
			const line = parseLine(text, format, number);
			const schema = line.schema === undefined ? undefined : await loadSchema(line.schema);
			const request = await createRequest(line, schema, batch, environment);
			const body = encode(request, batch);
			const {settings: base} = batch.run;
			const {schema: jsonSchema} = schema?.format ?? {};
			const settings = jsonSchema ? {...base, jsonSchema, responseFormat: undefined} : base;
			return {id: line.id, hash: hashOf(body).slice(0, 16), request, settings, body};
		} catch (error) {
			if (!(error instanceof ChatError) || !isOfLine(error)) throw error;
			const {details} = error;
			throw new ChatError('data', `${name} line ${number}: ${error.message}`, details);
		}
	};
}

function isOfLine({kind}: ChatError): boolean {
	return ['data', 'usage', 'input', 'config'].includes(kind);
}

async function createRequest(
	line: BatchLine,
	schema: LoadedSchema | undefined,
	{template, attached, files, defaults, run, isSystemOfTemplate}: OpenBatch,
	environment: Environment,
): Promise<Request> {
	const {prompt: text, params = {}} = line;
	if (template === undefined && (text ?? '').trim() === '') {
		throw new ChatError('data', 'prompt is missing');
	}
	if (template === undefined && line.params !== undefined) {
		throw new ChatError('data', 'params needs a template', {hint: 'Name one with -t.'});
	}
	const call = template?.call(text ?? '', params);
	const {notices, ...prompt} = await loadPrompt({
		...files,
		words: text === undefined ? [] : [text],
		files: line.files ?? [],
		images: [],
		media: [],
		attached: [attached],
		compose: call?.compose,
		input: environment.stdin,
		isStdinWanted: false,
		isTextRequired: true,
		git: environment,
	});
	const system = (isSystemOfTemplate && call?.system) || defaults.system;
	const {extraFields} = defaults.options;
	const options = {
		...defaults.options,
		model:
			line.model === undefined
				? defaults.options.model
				: expandModelName(line.model, run.settings.family),
		responseFormat: schema?.format ?? defaults.options.responseFormat,
		extraFields: line.fields === undefined ? extraFields : {...extraFields, ...line.fields},
	};
	return {
		conversation: createConversation(line.system ?? system),
		prompt,
		options,
		check: schema?.check ?? defaults.check,
		notices: [...notices, ...lintRequest({options, prompt})],
	};
}

function encode({conversation, prompt, options}: Request, {run}: OpenBatch): string {
	const turn = {id: '', prompt, model: options.model, startedAt: 0};
	const messages = messagesOf(beginTurn(conversation, turn, 0));
	const asked = {...options, isStreaming: false};
	const request = createStepRequest(messages, asked, run.tools?.tools ?? []);
	return run.service.connection.wire.encode(request).body;
}

/** Compiling a schema takes longer than everything else about a line. */
const maxSchemas = 64;

function createSchemaLoader({files}: OpenBatch) {
	const loaded = new Map<string, Promise<LoadedSchema>>();
	return async (written: NonNullable<BatchLine['schema']>): Promise<LoadedSchema> => {
		const key = JSON.stringify(written);
		const known = loaded.get(key);
		if (known !== undefined) return await known;
		if (loaded.size >= maxSchemas) loaded.clear();
		const {loadSchema} = await import('../../run/load-schema.ts');
		const schema = loadSchema(written, 'schema', files);
		loaded.set(key, schema);
		return await schema;
	};
}
