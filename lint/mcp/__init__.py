"""A server of the Model Context Protocol: celvet's answers as tools for an agent."""
