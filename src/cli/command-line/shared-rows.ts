/** Rows of `chat` that other commands have too, in their words. */
import {optionRows} from '../../settings/options/option-rows.ts';

const {baseUrl, profile, insecureHttp, verbose, output} = optionRows;
const {apiKeyFile, authHeader, header, caFile, connectTimeout} = optionRows;

/** For a command that asks the service for its models. */
export const serviceRows = {
	baseUrl,
	profile,
	apiKeyFile,
	authHeader,
	header,
	insecureHttp,
	caFile,
	connectTimeout,
};

/** A command that prints lists has no events. */
export const listOutput = {...output, summary: 'print text, json, or jsonl (one line each)'};

/** A command that sends no request has only a mistake of ours to explain. */
export const verboseOnly = {...verbose, summary: 'print the stack of an unexpected error'};
