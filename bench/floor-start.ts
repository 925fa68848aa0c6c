// The floor of the start-up figure, run as a program: Node, plain HTTP, and one container from create to remove.
import { bareEngine } from "./bare-engine.ts";
import { floorContainer } from "./engine.ts";

await floorContainer(bareEngine(process.env));
