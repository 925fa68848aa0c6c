// The floor of the start-up figure, run as a program: Node, dockerode, and one container from create to remove.
import Docker from "dockerode";
import { floorContainer } from "./engine.ts";

await floorContainer(new Docker());
