"""The main job, end to end; its simulation ends with this folder, so that no two folders hold control planes at once."""
